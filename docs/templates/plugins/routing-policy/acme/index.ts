import { definePlugin } from 'tollgate/contract'

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Prefers channels that fail rarely', zh: '优先选择失败率低的渠道' },
  // What whoever switches it on is told, and what it is held to.
  asks: { services: ['routingPolicies'] },
  server({ routingPolicies }) {
    routingPolicies.add({
      id: 'acme',
      applies: () => true,
      // Synchronous: the call waits for it. Undefined would leave the choice to the channels' weights.
      choose: (_view, candidates) => ({
        order: candidates
          .toSorted((a, b) => shareOfFailures(a) - shareOfFailures(b) || a.id - b.id)
          .map(({ id }) => id),
      }),
    })
  },
})

/** Of the attempts of the last hour; none failed where none was made. */
function shareOfFailures({ succeeded, failed }: { succeeded: number; failed: number }): number {
  return failed === 0 ? 0 : failed / (succeeded + failed)
}
