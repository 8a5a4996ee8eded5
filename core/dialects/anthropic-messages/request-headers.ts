import type { AttemptContext } from '../../contract/adapter.ts'

/** The headers of Anthropic's API that a Claude call carries wherever it is hosted: the client's own, which the option
 *  claude.model_headers_settings replaces by model. */
export function claudeHeaders({
  clientDialect,
  clientHeaders,
  model,
  options,
}: Pick<AttemptContext, 'clientDialect' | 'clientHeaders' | 'model' | 'options'>): Record<
  string,
  string
> {
  const headers: Record<string, string> = {}
  if (clientDialect === 'anthropic-messages') {
    for (const name of ['anthropic-version', 'anthropic-beta']) {
      const value = clientHeaders[name]
      if (value !== undefined && value !== '') headers[name] = value
    }
  }
  const own = options.get<Record<string, Record<string, string[]>>>('claude.model_headers_settings')
  for (const [name, values] of Object.entries(own[model] ?? {})) {
    headers[name.toLowerCase()] = values.join(',')
  }
  return headers
}
