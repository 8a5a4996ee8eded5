// What a task platform gives, held to the contract.
import { isObject } from '../../contract/json.ts'
import type { TaskReport } from '../../contract/task.ts'

/** @throws TypeError if JSON cannot express it */
export function checkJson(value: unknown): void {
  if (JSON.stringify(value) === undefined) throw new TypeError('it gave nothing that JSON can say')
}

/** @throws TypeError that names the field */
export function checkSubmit(value: unknown): void {
  if (!isObject(value)) throw new TypeError('it gave no submit')
  const missing = ['action', 'model', 'path', 'input'].find(
    (field) => typeof value[field] !== 'string',
  )
  if (missing !== undefined) throw new TypeError(`the submit has no sound "${missing}"`)
  if (!isObject(value['body'])) throw new TypeError('the submit has no sound "body"')
  const { hook, origin } = value
  if (hook !== undefined && typeof hook !== 'string')
    throw new TypeError('the submit has no sound "hook"')
  if (origin !== undefined && !isObject(origin))
    throw new TypeError('the submit has no sound "origin"')
}

/** @throws TypeError that names the field */
export function checkTaskAnswer(value: unknown): void {
  if (!isObject(value)) throw new TypeError('it gave no answer')
  checkJson(value['body'])
  const { isAccepted, taskId, code, reason, channelFault, report } = value
  const isCode = Number.isInteger(code) || (isAccepted === true && code === undefined)
  if (!isCode) throw new TypeError('the answer has no sound "code"')
  if (isAccepted === true) {
    if (typeof taskId !== 'string') throw new TypeError('the answer has no sound "taskId"')
    if (report !== undefined && !isObject(report))
      throw new TypeError('the answer has no sound "report"')
    return
  }
  if (isAccepted !== false) throw new TypeError('the answer does not say whether it is accepted')
  if (typeof reason !== 'string') throw new TypeError('the answer has no sound "reason"')
  if (channelFault !== undefined && typeof channelFault !== 'string')
    throw new TypeError('the answer has no sound "channelFault"')
}

type Report = Omit<TaskReport, 'taskId'>

const texts = ['status', 'progress', 'failReason', 'input'] as const
const times = ['submitMs', 'startMs', 'finishMs'] as const

/** Without the fields that are none: a failure with a reason that is no text is a failure all the same, and gives the money back. */
export function soundReport(report: Report, onFault: (field: string) => void): Report {
  const given: Readonly<Record<string, unknown>> = { ...report }
  const { state, data } = given
  const sound: Report = { state: isState(state) ? state : 'open' }
  if (sound.state !== state) onFault('state')
  for (const field of texts) {
    const value = given[field]
    if (typeof value === 'string') sound[field] = value
    else if (isSaid(value)) onFault(field)
  }
  for (const field of times) {
    const value = given[field]
    if (typeof value === 'number') sound[field] = value
    else if (isSaid(value)) onFault(field)
  }
  if (isSaid(data) && canBeJson(data)) sound.data = data
  else if (isSaid(data)) onFault('data')
  return sound
}

function isState(value: unknown): value is Report['state'] {
  return value === 'open' || value === 'succeeded' || value === 'failed'
}

const isSaid = (value: unknown) => value !== undefined && value !== null

function canBeJson(value: unknown): boolean {
  try {
    checkJson(value)
    return true
  } catch {
    return false
  }
}
