// The key with which a task was submitted. If a channel has several keys, each has its own tasks, which the upstream
// does not show to the others.
import type { ChannelView } from '../contract/adapter.ts'
import type { SecretService } from '../contract/services.ts'
import type { RoutedChannel } from '../channels/routing/routed-channel.ts'

type Lookup = Pick<SecretService, 'lookup'>

/** Empty if the channel has one key. */
export function keyHashOf(
  { keys }: Pick<RoutedChannel, 'keys'>,
  key: string,
  secrets: Lookup,
): string {
  return keys.length > 1 ? hashOf(key, secrets) : ''
}

/** The channel with the key of that hash, alive or not; with any of its keys if it has no such key. */
export function viewWithKey(
  { view, keys }: Pick<RoutedChannel, 'view' | 'keys'>,
  keyHash: string,
  secrets: Lookup,
): ChannelView {
  if (keyHash === '') return view
  const key = keys.find((one) => hashOf(one, secrets) === keyHash)
  return key === undefined || key === view.key ? view : { ...view, key }
}

/** Whether the key of that hash may still be used. */
export function hasLiveKey(
  { keyViews }: Pick<RoutedChannel, 'keyViews'>,
  keyHash: string,
  secrets: Lookup,
): boolean {
  return keyViews.some(({ key }) => hashOf(key, secrets) === keyHash)
}

function hashOf(key: string, secrets: Lookup): string {
  return secrets.lookup('channel-key', key)
}
