// Where the key of a channel goes. Whoever can edit a channel cannot read its key, so he must not be able to have it sent to a host of his choice either.
import type { Adapter } from '../contract/adapter.ts'
import type { ChannelRow } from '../data/models/channel.ts'
import { httpOptionsOf, parseSetting, storedBaseUrl } from './routed-channel.ts'

type Place = Pick<ChannelRow, 'type' | 'base_url' | 'setting'>
type AdapterOf = (type: number) => Adapter | undefined

/** Whether the stored key would reach somebody who does not have it yet. A path on the same host is no other host. */
export function sendsKeyElsewhere(before: Place, after: Place, adapterOf: AdapterOf): boolean {
  const [old, next] = [hostsOf(before, adapterOf), hostsOf(after, adapterOf)]
  if (old.adapter !== next.adapter || old.origin !== next.origin || old.named !== next.named)
    return true
  // Through a proxy a TLS connection is a tunnel, and its certificate is checked; plain HTTP is read by whoever carries it.
  const isTunnel = next.origin.startsWith('https:')
  return !isTunnel && next.proxy !== '' && next.proxy !== old.proxy
}

function hostsOf(place: Place, adapterOf: AdapterOf) {
  const adapter = adapterOf(place.type)
  const setting = parseSetting(place.setting)
  return {
    // Another adapter may send the key to hosts of its own. One that is switched off sends it nowhere.
    adapter: adapter?.id ?? `type ${place.type}`,
    origin: originOf(storedBaseUrl(place, adapter)),
    proxy: httpOptionsOf({ setting }).proxy ?? '',
    named: JSON.stringify(hostSettings(adapter).map((name) => setting[name] ?? '')),
  }
}

/** The settings that an adapter declares as naming a host of its own. */
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
