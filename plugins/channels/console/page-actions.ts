import { type Action, type Texts, toast } from '#console'
import { channelCalls } from './channel-calls.ts'

/** The actions that concern all channels at once. */
export function pageActions(t: Texts, refresh: () => Promise<unknown>): Action[] {
  return [
    {
      label: t('page.testAll'),
      confirm: () => ({
        title: t('page.testAll'),
        content: t('page.testAllText'),
        confirmLabel: t('page.testAllStart'),
      }),
      run: async () => {
        await channelCalls.testAll()
        toast.success(t('page.testAllStarted'))
      },
    },
    {
      label: t('page.balances'),
      confirm: () => ({
        title: t('page.balances'),
        content: t('page.balancesText'),
        confirmLabel: t('page.balancesStart'),
      }),
      run: async () => {
        await channelCalls.allBalances()
        toast.success(t('page.balancesStarted'))
        await refresh()
      },
    },
    {
      label: t('page.fix'),
      confirm: () => ({
        title: t('page.fix'),
        content: t('page.fixText'),
        confirmLabel: t('page.fixStart'),
      }),
      run: async () => {
        const count = await channelCalls.fix()
        toast.success(t('page.fixed', { count }))
        await refresh()
      },
    },
    {
      label: t('page.deleteDisabled'),
      isDanger: true,
      confirm: () => ({
        title: t('page.deleteDisabledTitle'),
        content: t('page.deleteDisabledText'),
        confirmLabel: t('action.delete'),
        isDanger: true,
      }),
      run: async () => {
        const count = await channelCalls.removeDisabled()
        toast.success(t('deletedMany', { count }))
        await refresh()
      },
    },
  ]
}
