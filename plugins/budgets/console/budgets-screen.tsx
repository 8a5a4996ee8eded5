import { Button } from '@arco-design/web-react'
import { useMemo } from 'react'
import {
  type Action,
  AddButton,
  api,
  DataTable,
  FilterBar,
  type List,
  Page,
  type Texts,
  toast,
  useEditing,
  useList,
  useTexts,
} from '#console'
import { BudgetDrawer } from './budget-drawer.tsx'
import { budgetColumns } from './budget-columns.tsx'
import type { ShownBudget } from '../schema.ts'
import { bodyOf, formOf } from './budget.ts'
import './budgets.css'

const noFilters = { keyword: '' }
const everyMs = 10_000

export default function BudgetsScreen() {
  const t = useTexts('budgets')
  const editing = useEditing<ShownBudget>()
  const list = useList<ShownBudget, typeof noFilters>('/api/budgets/', {
    filters: noFilters,
    refetchEveryMs: everyMs,
  })
  const columns = useMemo(() => budgetColumns(t), [t])
  return (
    <Page
      title={t('title')}
      hint={t('hint')}
      actions={<AddButton label={t('add')} onClick={editing.add} />}
    >
      <DataTable<ShownBudget, typeof noFilters>
        id="budgets"
        label={t('title')}
        list={list}
        columns={columns}
        nameOf={({ name, id }) => `${name} (${id})`}
        actions={(budget) => actionsOf(budget, t, list, editing.edit)}
        onOpen={editing.edit}
        empty={{
          title: t('empty'),
          hint: t('emptyHint'),
          action: <Button onClick={editing.add}>{t('add')}</Button>,
        }}
        toolbar={
          <FilterBar
            list={list}
            fields={[{ kind: 'search', name: 'keyword', label: t('search') }]}
          />
        }
      />
      <BudgetDrawer editing={editing} onSaved={() => list.refresh()} />
    </Page>
  )
}

function actionsOf(
  budget: ShownBudget,
  t: Texts,
  list: Pick<List<ShownBudget>, 'change' | 'refresh'>,
  edit: (budget: ShownBudget) => void,
): Action[] {
  const enabled = !budget.enabled
  const path = `/api/budgets/${budget.id}`
  return [
    { label: t('action.edit'), run: () => edit(budget) },
    {
      label: t(enabled ? 'action.enable' : 'action.disable'),
      run: () =>
        list.change(budget, { enabled }, () =>
          api.put(path, { ...bodyOf(formOf(budget)), enabled }),
        ),
    },
    {
      label: t('action.delete'),
      isDanger: true,
      confirm: () => ({
        title: t('deleteTitle', { name: budget.name }),
        content: t('deleteText'),
        confirmLabel: t('action.delete'),
        isDanger: true,
      }),
      run: async () => {
        await api.delete(path)
        toast.success(t('deleted', { name: budget.name }))
        await list.refresh()
      },
    },
  ]
}
