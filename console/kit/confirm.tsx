import { Input, Modal } from '@arco-design/web-react'
import { type ReactNode, useId, useState } from 'react'
import { create } from 'zustand'
import { useTexts } from '../texts/use-texts.ts'
import { FocusReturn } from './focus-return.tsx'

export interface ConfirmOptions {
  title: string
  /** What will be lost, naming the thing. */
  content?: ReactNode
  /** A verb: "Delete channel". */
  confirmLabel: string
  cancelLabel?: string
  isDanger?: boolean
  /** For what cannot be undone: this text has to be typed first. */
  typeToConfirm?: string
}

interface Question extends ConfirmOptions {
  answer(isConfirmed: boolean): void
}

const useQuestion = create<{ question: Question | undefined }>()(() => ({ question: undefined }))

/** Asks, and resolves to whether the person agreed; `signal` takes the question back, which is a no. */
export function confirm(options: ConfirmOptions, signal?: AbortSignal): Promise<boolean> {
  useQuestion.getState().question?.answer(false)
  return new Promise((resolve) => {
    const answer = (isConfirmed: boolean) => {
      // One that is taken back late must not close the question that stands there by then.
      if (useQuestion.getState().question?.answer === answer)
        useQuestion.setState({ question: undefined })
      resolve(isConfirmed)
    }
    useQuestion.setState({ question: { ...options, answer } })
    signal?.addEventListener('abort', () => answer(false), { once: true })
  })
}

/** Somebody else is in front of the screen: what was asked is not for him to answer. */
export function takeBackQuestion(): void {
  useQuestion.getState().question?.answer(false)
}

/** Stands once in the shell; a dialog inside the tree keeps language, theme and router. */
export function ConfirmHost() {
  const { question } = useQuestion()
  return question ? <ConfirmDialog key={question.title} {...question} /> : null
}

function ConfirmDialog({ title, content, answer, ...options }: Question) {
  const t = useTexts()
  const [typed, setTyped] = useState('')
  const id = useId()
  const isLocked = options.typeToConfirm !== undefined && typed.trim() !== options.typeToConfirm
  return (
    <Modal
      visible
      title={title}
      okText={options.confirmLabel}
      cancelText={options.cancelLabel ?? t('cancel')}
      okButtonProps={{ status: options.isDanger ? 'danger' : undefined, disabled: isLocked }}
      onOk={() => answer(true)}
      onCancel={() => answer(false)}
      className="dialog"
      autoFocus
      focusLock
    >
      <FocusReturn onBack={() => answer(false)} />
      {content ? <div className="dialog-words">{content}</div> : null}
      {options.typeToConfirm === undefined ? null : (
        <label className="dialog-type" htmlFor={id}>
          {t('confirm.type', { name: options.typeToConfirm })}
          <Input
            id={id}
            value={typed}
            onChange={setTyped}
            autoComplete="off"
            onPressEnter={() => !isLocked && answer(true)}
          />
        </label>
      )}
    </Modal>
  )
}
