import { role, tokenStatus, userStatus } from '../../contract/constants.ts'
import type { FastifyRequest } from 'fastify'
import type { TokenService } from '../../contract/services.ts'
import { isAddressAllowed } from '../../tokens/address-list.ts'
import { readTokenKey } from '../../tokens/token-key.ts'
import { findCredential, type KeyPlaces } from './credentials.ts'
import type { RelayCaller } from '../call/relay-call.ts'
import { relayErrors } from '../call/relay-errors.ts'

/** Turns the key of a relay call into its token and owner. Checks status, expiry, quota, address and owner, in that
 *  order.
 *  @throws the relay errors of those checks */
export async function authenticate(
  request: FastifyRequest,
  tokens: TokenService,
  places: KeyPlaces,
): Promise<RelayCaller> {
  const credential = findCredential(
    request.headers,
    request.query as Record<string, unknown>,
    places,
  )
  if (credential === undefined) throw relayErrors.keyMissing()
  const presented = readTokenKey(credential)
  const identity = presented && (await tokens.authenticate(presented.key))
  if (!presented || !identity) throw relayErrors.keyUnknown()
  if (identity.status === tokenStatus.exhausted)
    throw relayErrors.keyExhausted({
      key: `${presented.key.slice(0, 3)}…${presented.key.slice(-3)}`,
    })
  if (identity.status === tokenStatus.expired) throw relayErrors.keyExpired()
  if (identity.status !== tokenStatus.enabled) throw relayErrors.keyDisabled()
  if (!isAddressAllowed(identity.allowAddresses, request.clientAddress))
    throw relayErrors.addressRefused()
  if (identity.userStatus !== userStatus.active) throw relayErrors.userDisabled()
  const { channelId } = presented
  if (channelId !== undefined && identity.userRole < role.admin) throw relayErrors.pinRefused()
  if (channelId === 'invalid') throw relayErrors.pinUnknown({ id: 0 })
  return { identity, pinnedChannel: channelId }
}
