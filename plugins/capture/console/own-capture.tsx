import { Alert } from '@arco-design/web-react'
import { useData, useTexts } from '#console'
import type { OwnCapture as Own } from '../schema.ts'

/** Tells an owner that his calls are kept; nothing where they are not. */
export default function OwnCapture() {
  const t = useTexts('capture')
  const { data } = useData<Own>('/api/capture/self', { staleMs: 30_000 })
  if (!data || (!data.is_captured && data.tokens.length === 0)) return null
  const names = data.tokens.map(({ name, id }) => `${name} (${id})`).join(', ')
  return (
    <Alert
      type="warning"
      title={t('own.title')}
      content={
        data.is_captured
          ? t('own.all', { count: data.days })
          : t('own.tokens', { names, count: data.days })
      }
    />
  )
}
