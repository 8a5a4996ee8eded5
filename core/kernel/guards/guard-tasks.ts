// As in guard-contributions.ts: a faulty task platform costs the calls of its own routes, and no customer his money.
import type { ClientError } from '../../contract/dialect.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import type {
  TaskCallbackRoute,
  TaskPlatform,
  TaskRecord,
  TaskReport,
  TaskRoute,
} from '../../contract/task.ts'
import type { Logger } from '../../contract/services.ts'
import { isFigure } from '../check-values.ts'
import { inTime } from '../with-timeout.ts'
import { EntryGuard, orNothing } from './entry-guard.ts'
import type { Meter } from './measures.ts'
import { checkRequest } from './check-answers.ts'
import { checkJson, checkSubmit, checkTaskAnswer, soundReport } from './check-tasks.ts'

/** What a route of a platform waits for at most; the tasks of its caller are in the database, which may be slow for a while. */
const ROUTE_MS = 30_000

export function guardTasks(
  platform: TaskPlatform,
  owner: string,
  meter: Meter,
  log: Logger,
): TaskPlatform {
  const guard = new EntryGuard({ what: 'task platform', id: platform.id, owner }, meter, log)
  const readAnswer = guard.strict(
    'readAnswer',
    (...args: Parameters<TaskPlatform['readAnswer']>) => platform.readAnswer(...args),
    checkTaskAnswer,
  )
  return {
    ...platform,
    routes: platform.routes.map((route) => guardRoute(route, guard)),
    writeError: guard.lenient(
      'writeError',
      (error: ClientError) => platform.writeError(error),
      isError,
      (error) => ({ status: error.status, body: wordsOf(error) }),
    ),
    defaultPrice: guard.strict(
      'defaultPrice',
      (model: string) => platform.defaultPrice(model),
      (price) => {
        if (!isFigure(price)) throw new TypeError('it gave no price')
      },
    ),
    send: guard.strict(
      'send',
      (...args: Parameters<TaskPlatform['send']>) => platform.send(...args),
      checkRequest,
    ),
    readAnswer: (...args) => {
      const answer = readAnswer(...args)
      if (!answer.isAccepted || answer.report === undefined) return answer
      return { ...answer, report: soundReport(answer.report, blaming(guard, 'readAnswer')) }
    },
    poll: guardPolling(platform, guard),
    show: guard.lenient(
      'show',
      (...args: Parameters<TaskPlatform['show']>) => platform.show(...args),
      isShown,
      ({ task_id: id, status, progress }: TaskRecord) => ({ id, status, progress }),
    ),
  }
}

function blaming(guard: EntryGuard, part: string) {
  return (field: string) => {
    guard.blame(part, new TypeError(`a report has no sound "${field}"`))
  }
}

function guardPolling({ poll }: TaskPlatform, guard: EntryGuard): TaskPlatform['poll'] {
  const read = guard.strict(
    'poll.read',
    (body: unknown): readonly unknown[] => poll.read(body),
    (given) => {
      if (!Array.isArray(given)) throw new TypeError('it gave no list of reports')
    },
  )
  return {
    idsPerCall: poll.idsPerCall,
    lifetimeMs: poll.lifetimeMs,
    request: guard.strict(
      'poll.request',
      (...args: Parameters<typeof poll.request>) => poll.request(...args),
      checkRequest,
    ),
    read: (body) =>
      read(body).flatMap((report) => {
        const taskId = isObject(report) ? report['taskId'] : undefined
        if (typeof taskId !== 'string') {
          guard.blame('poll.read', new TypeError('a report names no task'))
          return []
        }
        const sound = soundReport(report as TaskReport, blaming(guard, 'poll.read'))
        return { ...sound, taskId }
      }),
  }
}

function guardRoute(route: TaskRoute, guard: EntryGuard): TaskRoute {
  switch (route.kind) {
    case 'submit':
      return {
        ...route,
        read: guard.awaited(
          'read',
          (request, own) => inTime(ROUTE_MS, 'read()', route.read(request, own)),
          checkSubmit,
        ),
      }
    case 'read':
      return {
        ...route,
        answer: guard.awaited(
          'answer',
          (request, own) => inTime(ROUTE_MS, 'answer()', route.answer(request, own)),
          checkJson,
        ),
      }
    case 'forward':
      return {
        ...route,
        task: guard.awaited(
          'task',
          (request, own) => inTime(ROUTE_MS, 'task()', route.task(request, own)),
          checkRecord,
        ),
        send: guard.strict('send', (task, channel) => route.send(task, channel), checkRequest),
      }
    case 'file':
      return {
        ...route,
        taskId: guard.strict('taskId', (request) => route.taskId(request), checkText),
        locate: guard.strict('locate', (task) => route.locate(task), orNothing(checkText)),
      }
    case 'callback':
      return guardCallback(route, guard)
  }
}

function guardCallback(route: TaskCallbackRoute, guard: EntryGuard): TaskCallbackRoute {
  const read = guard.strict(
    'read',
    (body: JsonObject) => route.read(body),
    (report) => {
      if (report !== undefined) checkText(isObject(report) ? report['taskId'] : report)
    },
  )
  return {
    ...route,
    isOn: guard.strict('isOn', (options) => route.isOn(options)),
    read: (body) => {
      const report = read(body)
      if (report === undefined) return undefined
      return { ...soundReport(report, blaming(guard, 'read')), taskId: report.taskId }
    },
  }
}

function checkText(value: unknown): void {
  if (typeof value !== 'string') throw new TypeError('it gave no text')
}

function checkRecord(value: unknown): void {
  if (!isObject(value)) throw new TypeError('it gave no object')
}

function isError(value: unknown): boolean {
  if (!isObject(value) || !isObject(value['body'])) return false
  const status = Number.isInteger(value['status']) ? Number(value['status']) : 0
  return status >= 200 && status <= 599 && isShown(value['body'])
}

function isShown(value: unknown): boolean {
  if (!isObject(value)) return false
  checkJson(value)
  return true
}

function wordsOf({ message, code }: ClientError): JsonObject {
  return { error: { message, code } }
}
