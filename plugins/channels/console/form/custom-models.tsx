import { Button, Input } from '@arco-design/web-react'
import { useState } from 'react'
import { isComposing, splitList, toast, useTexts } from '#console'

/** Names that no list knows, several with commas between them. */
export function CustomModels({
  chosen,
  onAdd,
}: {
  chosen: readonly string[]
  onAdd: (models: string[]) => void
}) {
  const t = useTexts('channels')
  const [text, setText] = useState('')
  const add = () => {
    const names = splitList(text)
    const fresh = names.filter((name) => !chosen.includes(name))
    if (fresh.length < names.length) toast.warning(t('models.exist'))
    if (fresh.length > 0) onAdd(fresh)
    setText('')
  }
  return (
    <div className="channel-custom">
      <Input
        className="code"
        size="small"
        value={text}
        onChange={setText}
        placeholder={t('models.custom')}
        aria-label={t('models.custom')}
        spellCheck={false}
        onKeyDown={(event) => {
          // Enter would submit the form around it.
          if (event.key !== 'Enter' || isComposing(event)) return
          event.preventDefault()
          add()
        }}
      />
      <Button size="small" disabled={text.trim() === ''} onClick={add}>
        {t('models.add')}
      </Button>
    </div>
  )
}
