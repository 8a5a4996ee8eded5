import type { OpaqueState } from '#core'

const OWNER = 'own'
const ID = 'aws-bedrock'

/** A signature or sealed reasoning of Converse; no other provider ever gets it. */
export function sealed(data: string): OpaqueState {
  return { owner: OWNER, id: ID, data }
}

export function isOwnState(state: OpaqueState | undefined): state is OpaqueState {
  return state?.owner === OWNER && state.id === ID
}
