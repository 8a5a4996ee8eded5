import type { EventBus } from '#core'

/** Nobody listens. */
export const quietEvents: EventBus = { emit: () => undefined, on: () => () => undefined }
