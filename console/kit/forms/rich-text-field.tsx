import { Button } from '@arco-design/web-react'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { RichText } from '../values/html.tsx'
import { GrowingText } from '../growing-text.tsx'

/** An editor for Markdown or HTML with a preview. */
export function RichTextField(props: {
  id?: string
  value: string
  onChange: (text: string) => void
  placeholder?: string
  disabled?: boolean
}) {
  const { value } = props
  const t = useTexts()
  const [isPreview, setPreview] = useState(false)
  return (
    <div className="rich-text-field">
      {isPreview ? (
        <div className="rich-text-preview">
          <RichText text={value} />
        </div>
      ) : (
        <GrowingText {...props} className="code" minRows={5} maxRows={24} />
      )}
      <div className="json-tools">
        <Button
          size="mini"
          disabled={value.trim() === ''}
          aria-pressed={isPreview}
          onClick={() => setPreview(!isPreview)}
        >
          {t(isPreview ? 'richText.edit' : 'richText.preview')}
        </Button>
      </div>
    </div>
  )
}
