import { Type, type Static } from '@sinclair/typebox'

export const discoveryBody = Type.Object({
  well_known: Type.String({ pattern: '^https?://', maxLength: 2048 }),
})
export type DiscoveryBody = Static<typeof discoveryBody>
