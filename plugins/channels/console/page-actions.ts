import { type Action, type Texts, toast } from '#console'
import { channelCalls } from './channel-calls.ts'

/** The actions that concern all channels at once.
 *  @param onBegun when a run over all channels was begun; it goes on in the background */
export function pageActions(
  t: Texts,
  refresh: () => Promise<unknown>,
  onBegun: () => Promise<unknown>,
): Action[] {
  return [...runActions(t, onBegun), ...repairActions(t, refresh)]
}

function runActions(t: Texts, onBegun: () => Promise<unknown>): Action[] {
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
        await onBegun()
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
        await onBegun()
      },
    },
  ]
}

function repairActions(t: Texts, refresh: () => Promise<unknown>): Action[] {
  return [
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
