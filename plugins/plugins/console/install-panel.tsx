import { Alert, Button, Input } from '@arco-design/web-react'
import { useId, useRef, useState } from 'react'
import { api, messageOf, SidePanel, Tabs, toast, useData, useTexts, useUnsaved } from '#console'

/** The limit of the server. */
const MAX_FILE_BYTES = 32 * 1_048_576

const ways = ['npm', 'file', 'folder'] as const
type Way = (typeof ways)[number]

interface Installed {
  id: string
  version: string
  name: string
}

export interface InstallPanelProps {
  isOpen: boolean
  onClose(): void
  onDone(): Promise<unknown>
}

/** Brings a plugin, or another version of one. */
export function InstallPanel({ isOpen, onClose, onDone }: InstallPanelProps) {
  const t = useTexts('plugins')
  const { way, choose, word, setWord, file, setFile, fault, isRunning, install, leave } =
    useInstall(onClose, onDone)
  const isReady = way === 'file' ? file !== undefined : word.trim() !== ''
  return (
    <SidePanel
      title={t('install.title')}
      isOpen={isOpen}
      onClose={leave}
      footer={
        <div className="plugin-install-foot">
          <Button onClick={leave} disabled={isRunning}>
            {t('install.cancel')}
          </Button>
          <Button
            type="primary"
            loading={isRunning}
            disabled={!isReady}
            onClick={() => void install()}
          >
            {t('install.start')}
          </Button>
        </div>
      }
    >
      <p className="plugin-hooks-hint">{t('install.hint')}</p>
      <Tabs
        label={t('install.from')}
        active={way}
        onChange={choose}
        items={ways.map((id) => ({ id, title: t(`install.way.${id}`) }))}
      />
      <div className="plugin-install-way">
        {way === 'file' ? (
          <FileChoice file={file} onChoose={setFile} isDisabled={isRunning} />
        ) : (
          <WordField
            way={way as Way}
            word={word}
            onChange={setWord}
            onEnter={install}
            isDisabled={isRunning}
          />
        )}
      </div>
      {isRunning ? <Step /> : null}
      {fault ? <Alert type="error" content={fault} /> : null}
    </SidePanel>
  )
}

function useInstall(onClose: () => void, onDone: () => Promise<unknown>) {
  const t = useTexts('plugins')
  const [way, setWay] = useState<string>('npm')
  const [word, setWord] = useState('')
  const [file, setFile] = useState<File>()
  const [fault, setFault] = useState('')
  const [isRunning, setRunning] = useState(false)
  useUnsaved(word !== '' || file !== undefined)
  const send = (): Promise<Installed> => {
    const options = { isQuiet: true }
    if (way === 'file') return api.post('/api/plugin/upload', file, options)
    const body = way === 'npm' ? { from: 'npm', spec: word } : { from: 'folder', path: word }
    return api.post('/api/plugin/install', body, options)
  }
  /** A fault belongs to what was tried: it does not stand under the next try. */
  const forget = () => {
    setWord('')
    setFile(undefined)
    setFault('')
  }
  // While something is being installed it stays to be seen, and so does where it comes from.
  const choose = (next: string) => {
    if (isRunning) return
    forget()
    setWay(next)
  }
  const leave = () => {
    if (isRunning) return
    forget()
    onClose()
  }
  const install = async () => {
    if (isRunning) return
    setFault('')
    if (way === 'file' && (file?.size ?? 0) > MAX_FILE_BYTES) {
      setFault(t('install.tooLarge'))
      return
    }
    setRunning(true)
    try {
      const { name, version } = await send()
      toast.success(t('install.done', { name, version }))
      forget()
      await onDone()
      onClose()
    } catch (error) {
      setFault(messageOf(error))
    } finally {
      setRunning(false)
    }
  }
  return { way, choose, word, setWord, file, setFile, fault, isRunning, install, leave }
}

function WordField({
  way,
  word,
  onChange,
  onEnter,
  isDisabled,
}: {
  way: Way
  word: string
  onChange(word: string): void
  onEnter(): unknown
  isDisabled: boolean
}) {
  const t = useTexts('plugins')
  const id = useId()
  return (
    <>
      <label htmlFor={id}>{t(`install.label.${way}`)}</label>
      <Input
        id={id}
        value={word}
        readOnly={isDisabled}
        onChange={onChange}
        onPressEnter={() => word.trim() !== '' && void onEnter()}
        placeholder={t(`install.placeholder.${way}`)}
        aria-describedby={`${id}-help`}
        autoComplete="off"
        spellCheck={false}
      />
      <p id={`${id}-help`} className="muted">
        {t(`install.help.${way}`)}
      </p>
    </>
  )
}

function FileChoice({
  file,
  onChoose,
  isDisabled,
}: {
  file: File | undefined
  onChoose(file: File | undefined): void
  isDisabled: boolean
}) {
  const t = useTexts('plugins')
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".tgz,.tar.gz,application/gzip"
        aria-label={t('install.label.file')}
        hidden
        onChange={({ target }) => {
          onChoose(target.files?.[0])
          target.value = ''
        }}
      />
      <span className="plugin-file">
        <Button disabled={isDisabled} onClick={() => input.current?.click()}>
          {t('install.choose')}
        </Button>
        <span className="plugin-file-name">{file?.name ?? t('install.none')}</span>
      </span>
      <p className="muted">{t('install.help.file')}</p>
    </>
  )
}

/** Where this node has come; another one may be at work. */
function Step() {
  const t = useTexts('plugins')
  const { data } = useData<{ step: string | null }>('/api/plugin/install', {
    refetchEveryMs: 1_000,
  })
  const step = data?.step ?? 'waiting'
  return <p role="status">{t.has(`install.step.${step}`) ? t(`install.step.${step}`) : step}</p>
}
