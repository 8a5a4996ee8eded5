// Decides where a channel's key may be sent. Whoever may edit a channel cannot read its key, so he must not be able to
// redirect it to a host of his choice either.
import type { Adapter } from '../../contract/adapter.ts'
import type { ChannelRow } from '../../data/models/channel.ts'
import { proxyOf, parseSetting, storedBaseUrl } from '../routing/routed-channel.ts'

type Place = Pick<ChannelRow, 'type' | 'base_url' | 'setting'>
type AdapterOf = (type: number) => Adapter | undefined

/** Whether the stored key would reach somebody who does not have it yet. Another path on the same host is not another place. */
export function sendsKeyElsewhere(before: Place, after: Place, adapterOf: AdapterOf): boolean {
  const [old, next] = [hostsOf(before, adapterOf), hostsOf(after, adapterOf)]
  if (old.adapter !== next.adapter || old.origin !== next.origin || old.named !== next.named)
    return true
  // Through a proxy, TLS runs in a tunnel and its certificate is checked; plain HTTP can be read by the proxy.
  const isTunnel = next.origin.startsWith('https:')
  return !isTunnel && next.proxy !== '' && next.proxy !== old.proxy
}

function hostsOf(place: Place, adapterOf: AdapterOf) {
  const adapter = adapterOf(place.type)
  const setting = parseSetting(place.setting)
  return {
    // Another adapter may send the key to other hosts. An adapter that is switched off sends it nowhere.
    adapter: adapter?.id ?? `type ${place.type}`,
    origin: originOf(storedBaseUrl(place, adapter)),
    proxy: proxyOf(setting),
    named: JSON.stringify(hostSettings(adapter).map((name) => setting[name] ?? '')),
  }
}

/** The settings of an adapter that name a host. */
function hostSettings(adapter: Adapter | undefined): string[] {
  const properties: unknown = adapter?.settings?.['properties']
  if (typeof properties !== 'object' || properties === null) return []
  return Object.entries(properties as Record<string, { 'x-ui'?: { host?: boolean } }>)
    .filter(([, schema]) => schema['x-ui']?.host === true)
    .map(([name]) => name)
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address
}
