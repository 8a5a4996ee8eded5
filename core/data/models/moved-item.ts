import { Type, type Static } from '@sinclair/typebox'

/** A row of `moved_items`: an item of an answer on its way to the node that asked for it. */
const movedItemRow = Type.Object({
  question: Type.String({ description: 'Drawn by the node that asks.' }),
  id: Type.String({ description: 'Of the item.' }),
  sealed: Type.String({ description: 'Its JSON, by SecretService.' }),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
})
export type MovedItemRow = Static<typeof movedItemRow>
