import type { ClusterBus, EventBus } from '../index.ts'

export interface UserChanges {
  /** Tells the listeners of this node at once and those of the others through the cluster bus. */
  announce(userId: number, kind: 'changed' | 'deleted'): Promise<void>
  close(): void
}

const TOPIC = 'user.changed'

/** Every node hears `user.changed` and `user.deleted` of every other, so that what is kept in memory of a user is dropped. */
export function createUserChanges(deps: { cluster: ClusterBus; events: EventBus }): UserChanges {
  const { cluster, events } = deps

  function tell(userId: number, kind: unknown): void {
    events.emit(kind === 'deleted' ? 'user.deleted' : 'user.changed', { userId })
  }

  const unsubscribe = cluster.subscribe(TOPIC, ({ userId, kind, from }) => {
    if (typeof userId === 'number' && from !== cluster.nodeId) tell(userId, kind)
  })

  return {
    async announce(userId, kind) {
      tell(userId, kind)
      await cluster.publish(TOPIC, { userId, kind, from: cluster.nodeId })
    },
    close: unsubscribe,
  }
}
