import type { Texts } from '#console'
import type { Budget, BudgetBody, ShownBudget } from '../schema.ts'

/** From here on a bar is shown as a warning. */
export const warnPercent = 80

export function percentOf({ used, limit }: { used: number; limit: number }): number {
  return (used / limit) * 100
}

export const emptyBudget: BudgetBody = {
  name: '',
  period: 'month',
  limit: 5_000_000,
  count: 'user',
  user_id: 0,
  token_id: 0,
  group: '',
  model: '',
  enabled: true,
}

/** The conditions of a budget, in words. */
export function scopeOf(
  { user_id, token_id, group, model }: Pick<Budget, 'user_id' | 'token_id' | 'group' | 'model'>,
  t: Texts,
): string {
  const parts = [
    ...(user_id > 0 ? [t('scope.user', { id: user_id })] : []),
    ...(token_id > 0 ? [t('scope.token', { id: token_id })] : []),
    ...(group === '' ? [] : [t('scope.group', { name: group })]),
    ...(model === '' ? [] : [t('scope.model', { name: model })]),
  ]
  return parts.length === 0 ? t('scope.all') : parts.join(' · ')
}

/** The form holds ids as what may be left empty. */
export interface BudgetForm extends Omit<BudgetBody, 'user_id' | 'token_id'> {
  user_id: number | undefined
  token_id: number | undefined
}

export function formOf(budget: BudgetBody | ShownBudget): BudgetForm {
  const { name, period, limit, count, user_id, token_id, group, model, enabled } = budget
  return {
    name,
    period,
    limit,
    count,
    user_id: user_id || undefined,
    token_id: token_id || undefined,
    group,
    model,
    enabled,
  }
}

export function bodyOf(form: BudgetForm): BudgetBody {
  return {
    ...form,
    name: form.name.trim(),
    user_id: form.user_id ?? 0,
    token_id: form.token_id ?? 0,
    group: form.group ?? '',
    model: (form.model ?? '').trim(),
  }
}
