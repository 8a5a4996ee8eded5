import type { PluginServices } from './plugin.ts'

/** The gateway's address before the paths of links that it sends to people. A Host header never decides where they lead. */
export function siteAddress({
  environment,
  options,
}: Pick<PluginServices, 'environment' | 'options'>): string {
  return options.get<string>('ServerAddress') || `http://localhost:${environment.port}`
}
