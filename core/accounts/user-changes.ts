import type { ClusterBus } from '../contract/services.ts'
import type { EventBus } from '../contract/events.ts'

export interface UserChanges {
  /** Tells the listeners of this node at once and those of the others through the cluster bus. */
  announce(userId: number, kind: 'changed' | 'deleted'): Promise<void>
  close(): void
}

/** Carries `userId`. Whoever keeps something of users subscribes to it: events are told once, and a gap in the bus loses them. */
export const userTopic = 'user.changed'

/** Every node hears `user.changed` and `user.deleted` of every other, as long as no message is missed. */
export function createUserChanges(deps: { cluster: ClusterBus; events: EventBus }): UserChanges {
  const { cluster, events } = deps

  function tell(userId: number, kind: unknown): void {
    events.emit(kind === 'deleted' ? 'user.deleted' : 'user.changed', { userId })
  }

  const unsubscribe = cluster.subscribe(
    userTopic,
    ({ userId, kind, from }) => {
      if (typeof userId === 'number' && from !== cluster.nodeId) tell(userId, kind)
    },
    // Nothing is kept here, and whose change was missed is unknown.
    () => undefined,
  )

  return {
    async announce(userId, kind) {
      tell(userId, kind)
      await cluster.publish(userTopic, { userId, kind, from: cluster.nodeId })
    },
    close: unsubscribe,
  }
}
