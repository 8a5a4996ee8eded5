import { Input } from '@arco-design/web-react'
import { useState } from 'react'
import { OwnPeriod, useIsAdmin, useTexts } from '#console'
import { ownRanges, ranges, wholeSpan } from './span.ts'
import { Switch } from './switch.tsx'
import { steps, type View } from './view.ts'

/** The span of time, its steps, and the user. */
export function Toolbar({ view }: { view: View }) {
  const t = useTexts('dashboard')
  const isAdmin = useIsAdmin()
  const { span } = view
  return (
    <div className="dashboard-toolbar" role="search">
      <Switch
        label={t('rangeLabel')}
        choices={isAdmin ? ranges : ownRanges}
        value={view.range}
        nameOf={(range) => t(`range.${range}`)}
        onChange={(range) => view.change({ range, start_timestamp: '', end_timestamp: '' })}
      />
      <span role="group" aria-label={t('period')} className="period">
        <OwnPeriod
          start={view.range ? '' : String(span.start)}
          end={view.range ? '' : String(span.end)}
          onChange={(start, end) => view.change(wholeSpan(start, end, new Date()))}
        />
      </span>
      <Switch
        label={t('stepLabel')}
        choices={steps}
        value={view.step}
        nameOf={(step) => t(`step.${step}`)}
        onChange={(step) => view.change({ step })}
      />
      {isAdmin ? <UserFilter key={view.username} view={view} /> : null}
    </div>
  )
}

function UserFilter({ view }: { view: View }) {
  const t = useTexts('dashboard')
  const [name, setName] = useState(view.username)
  const apply = (text = name) => {
    if (text.trim() !== view.username) view.change({ username: text.trim(), user_id: '' })
  }
  return (
    <Input
      className="filter-text"
      value={name}
      allowClear
      placeholder={t('username')}
      aria-label={t('username')}
      onChange={(text) => {
        setName(text)
        if (text === '') apply('')
      }}
      onPressEnter={() => apply()}
      onBlur={() => apply()}
    />
  )
}
