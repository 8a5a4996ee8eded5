import { Alert, Button, Input } from '@arco-design/web-react'
import { useId, useState } from 'react'
import { api, Details, messageOf, useAction, usePreferences } from '#console'

type Words = Record<'en' | 'zh', string>

/** A row of GET /api/option/actions. */
export interface SectionAction {
  id: string
  owner: string
  label: Words
  hint?: Words
  options: readonly string[]
  input?: { label: Words; placeholder?: Words }
}

interface Answer {
  ok: boolean
  message: string
  details: readonly { label: string; value: string }[]
}

/** Buttons that test the values in the card, saved or not. */
export function SectionActions({
  actions,
  typed,
}: {
  actions: readonly SectionAction[]
  /** Values as strings, as on the wire, by key. */
  typed: Readonly<Record<string, string>>
}) {
  return actions.map((action) => <ActionBox key={action.id} action={action} typed={typed} />)
}

function ActionBox({
  action,
  typed,
}: {
  action: SectionAction
  typed: Readonly<Record<string, string>>
}) {
  const id = useId()
  const language = usePreferences((preferences) => preferences.language)
  const [input, setInput] = useState('')
  const [answer, press, isRunning] = useAnswer(action, typed, input)
  const { label, hint, input: field } = action
  return (
    <div className="schema-field option-action">
      {field ? <label htmlFor={id}>{field.label[language]}</label> : null}
      <div className="option-action-row">
        {field ? (
          <Input
            id={id}
            value={input}
            maxLength={1024}
            placeholder={field.placeholder?.[language]}
            onChange={setInput}
            onPressEnter={() => void press()}
          />
        ) : null}
        <Button loading={isRunning} onClick={() => void press()}>
          {label[language]}
        </Button>
      </div>
      {hint ? <p className="schema-help">{hint[language]}</p> : null}
      <div role="status" className="option-action-answer">
        {answer ? <AnswerBox answer={answer} /> : null}
      </div>
    </div>
  )
}

function AnswerBox({ answer: { ok, message, details } }: { answer: Answer }) {
  return (
    <>
      <Alert type={ok ? 'success' : 'error'} content={message} />
      {details.length > 0 ? <Details items={details} /> : null}
    </>
  )
}

/** Runs the action and keeps the last result; an error from the gateway counts as a result. */
function useAnswer(
  { id, options }: SectionAction,
  typed: Readonly<Record<string, string>>,
  input: string,
): [Answer | undefined, () => Promise<unknown>, boolean] {
  const [answer, setAnswer] = useState<Answer>()
  const [press, isRunning] = useAction(async () => {
    setAnswer(undefined)
    const values = Object.fromEntries(
      Object.entries(typed).filter(([key]) => options.includes(key)),
    )
    try {
      setAnswer(
        await api.post<Answer>('/api/option/action', { id, values, input }, { isQuiet: true }),
      )
    } catch (error) {
      setAnswer({ ok: false, message: messageOf(error), details: [] })
    }
  })
  return [answer, press, isRunning]
}
