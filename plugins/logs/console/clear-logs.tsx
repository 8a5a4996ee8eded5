import { Button, DatePicker } from '@arco-design/web-react'
import { useId, useState } from 'react'
import { api, confirm, formatTime, toast, useAction, useTexts } from '#console'

/** On the settings page: deletes what is older than a time, for good. */
export default function ClearLogs() {
  const t = useTexts('logs')
  const id = useId()
  const [before, setBefore] = useState<number>()
  const [clear, isClearing] = useAction(async () => {
    if (before === undefined) return toast.warning(t('clear.noTime'))
    const time = formatTime(before)
    const isAgreed = await confirm({
      title: t('clear.title'),
      content: t('clear.text', { time }),
      confirmLabel: t('clear.do'),
      isDanger: true,
      typeToConfirm: time.slice(0, 'YYYY-MM-DD'.length),
    })
    if (!isAgreed) return
    const query = { target_timestamp: before }
    const count = await api.delete<number>('/api/log/', { query })
    toast.success(t('clear.done', { count }))
  })
  return (
    <div className="schema-field">
      <label htmlFor={id}>{t('clear.label')}</label>
      <div className="schema-amount">
        <DatePicker
          showTime
          format="YYYY-MM-DD HH:mm:ss"
          value={before === undefined ? undefined : before * 1000}
          placeholder={t('clear.choose')}
          onChange={(_, date) => setBefore(date ? date.unix() : undefined)}
          inputProps={{ id }}
          disabled={isClearing}
        />
        <Button status="danger" loading={isClearing} onClick={() => void clear()}>
          {t(isClearing ? 'clear.running' : 'clear.do')}
        </Button>
      </div>
      <p className="schema-help">{t('clear.help')}</p>
    </div>
  )
}
