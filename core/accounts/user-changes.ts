import type { ClusterBus } from '../contract/services.ts'
import type { EventBus } from '../contract/events.ts'

export interface UserChanges {
  /** Tells listeners on this node at once, and those on other nodes through the cluster bus. */
  announce(userId: number, kind: 'changed' | 'deleted'): Promise<void>
  close(): void
}

/** Carries `userId`. Code that caches data of users subscribes to it, because events are sent once and may be lost in a gap of the bus. */
export const userTopic = 'user.changed'

/** Every node emits `user.changed` and `user.deleted` for changes on all nodes, as long as no message is lost. */
export function createUserChanges(deps: { cluster: ClusterBus; events: EventBus }): UserChanges {
  const { cluster, events } = deps

  function emit(userId: number, kind: unknown): void {
    events.emit(kind === 'deleted' ? 'user.deleted' : 'user.changed', { userId })
  }

  const unsubscribe = cluster.subscribe(
    userTopic,
    ({ userId, kind, from }) => {
      if (typeof userId === 'number' && from !== cluster.nodeId) emit(userId, kind)
    },
    // Nothing is cached here, and it is unknown whose changes were missed.
    () => undefined,
  )

  return {
    async announce(userId, kind) {
      emit(userId, kind)
      await cluster.publish(userTopic, { userId, kind, from: cluster.nodeId })
    },
    close: unsubscribe,
  }
}
