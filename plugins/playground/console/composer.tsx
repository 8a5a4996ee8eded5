import { Button, Input } from '@arco-design/web-react'
import { IconClose, IconImage, IconRecordStop, IconSend } from '@arco-design/web-react/icon'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { IconButton, isComposing, toast, useTexts, useUnsaved } from '#console'
import { draftPictures, setDraftPictures, useDraftPictures } from './draft-pictures.ts'
import { readDraft, writeDraft } from './stored.ts'
import './composer.css'

const mostPictures = 4
const mostBytes = 5 * 1_048_576
const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

interface Props {
  userId: number
  isRunning: boolean
  /** False while it is not known which model answers. */
  isReady: boolean
  /** Why nothing can be sent. */
  hindrance?: string
  /** Asks again for what is missing. */
  onRetry?: () => void
  onSend(text: string, images: readonly string[]): void
  onStop(): void
}

/** The input for a question: Enter sends, Shift+Enter starts a new line, Escape stops the running answer. */
export function Composer(props: Props) {
  const { userId, isRunning, isReady, hindrance, onSend, onStop } = props
  const t = useTexts('playground')
  const [text, setText] = useDraft(userId)
  const { images, setImages, add } = usePictures(userId)
  // Sending counts as busy until the answer has arrived.
  useUnsaved(isRunning || text !== '' || images.length > 0)
  const canSend = isReady && !isRunning && !hindrance && (text.trim() !== '' || images.length > 0)

  const send = () => {
    if (!canSend) return
    onSend(text.trim(), images)
    setText('')
    setImages([])
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isRunning) onStop()
    // This Enter confirms a word of an input method (IME); it does not send.
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return
    event.preventDefault()
    send()
  }
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files].filter(({ type }) => type.startsWith('image/'))
    if (files.length === 0) return
    event.preventDefault()
    void add(files)
  }

  return (
    <div className="composer" onPaste={paste}>
      <Pictures images={images} onChange={setImages} />
      <Input.TextArea
        value={text}
        onChange={setText}
        onKeyDown={press}
        autoSize={{ minRows: 1, maxRows: 10 }}
        placeholder={t('composer.placeholder')}
        aria-label={t('composer.label')}
      />
      <div className="composer-actions">
        <PictureButton isFull={images.length >= mostPictures} onAdd={(files) => void add(files)} />
        {hindrance ? (
          <Hindrance text={hindrance} onRetry={props.onRetry} />
        ) : (
          <span className="composer-hint">{t('composer.hint')}</span>
        )}
        {isRunning ? (
          <Button icon={<IconRecordStop />} onClick={onStop}>
            {t('action.stop')}
          </Button>
        ) : (
          <Button type="primary" icon={<IconSend />} disabled={!canSend} onClick={send}>
            {t('action.send')}
          </Button>
        )}
      </div>
    </div>
  )
}

function Hindrance({ text, onRetry }: { text: string; onRetry: Props['onRetry'] }) {
  const t = useTexts()
  return (
    <span className="composer-hindrance">
      <span role="status">{text}</span>
      {onRetry ? (
        <Button size="mini" onClick={onRetry}>
          {t('state.retry')}
        </Button>
      ) : null}
    </span>
  )
}

/** The text of the question. It is still there after another screen was open, and after a reload. */
function useDraft(userId: number): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => readDraft(userId))
  const change = (next: string) => {
    setText(next)
    writeDraft(userId, next)
  }
  return [text, change]
}

/** The pictures attached to the question. Files that are too large, or not pictures, are refused. */
function usePictures(userId: number) {
  const t = useTexts('playground')
  const images = useDraftPictures(userId)
  useReloadQuestion(images.length > 0)
  const setImages = (next: readonly string[]) => setDraftPictures(userId, next)
  const add = async (files: readonly File[]) => {
    const good = files.filter(({ type, size }) => pictureTypes.includes(type) && size <= mostBytes)
    if (good.length < files.length) toast.error(t('picture.refused'))
    const addresses = await Promise.all(good.map(addressOf))
    // Others may have been added while these were read.
    const all = new Set([...draftPictures(userId), ...addresses])
    if (all.size > mostPictures) toast.error(t('picture.most', { most: mostPictures }))
    setDraftPictures(userId, [...all].slice(0, mostPictures))
  }
  return { images, setImages, add }
}

/** A reload would lose what the storage of the tab cannot hold. */
function useReloadQuestion(hasPictures: boolean): void {
  useEffect(() => {
    if (!hasPictures) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [hasPictures])
}

function Pictures({
  images,
  onChange,
}: {
  images: readonly string[]
  onChange(images: readonly string[]): void
}) {
  const t = useTexts('playground')
  if (images.length === 0) return null
  return (
    <ul className="composer-pictures">
      {images.map((address, at) => (
        <li key={address}>
          <img src={address} alt={t('picture.number', { number: at + 1 })} />
          <IconButton
            size="mini"
            icon={<IconClose />}
            label={t('picture.remove', { number: at + 1 })}
            onClick={() => onChange(images.filter((other) => other !== address))}
          />
        </li>
      ))}
    </ul>
  )
}

function PictureButton({ isFull, onAdd }: { isFull: boolean; onAdd(files: File[]): void }) {
  const t = useTexts('playground')
  const file = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={file}
        type="file"
        accept={pictureTypes.join(',')}
        multiple
        hidden
        onChange={({ target }) => {
          onAdd([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <IconButton
        icon={<IconImage />}
        label={t('picture.add')}
        disabled={isFull}
        onClick={() => file.current?.click()}
      />
    </>
  )
}

function addressOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error ?? new Error(file.name)))
    reader.readAsDataURL(file)
  })
}
