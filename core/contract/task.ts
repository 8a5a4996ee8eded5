// A platform of long-running work (drawing, music, video): submitted now, polled until it ends. A platform is data and
// pure mapping; rows, money, polling, refunds and hooks are core's (core/tasks).
import type { AttemptContext, ChannelView, OptionReader } from './adapter.ts'
import type { UpstreamRequest } from './http-client.ts'
import type { ClientError } from './dialect.ts'
import { AppError } from './errors.ts'
import type { TaskRecord } from '../data/models/task.ts'
import type { JsonObject } from './json.ts'

export type { TaskRecord }

/** The log screen of the console that lists a platform's tasks. */
export type TaskScreen = TaskRecord['screen']

export interface TaskPlatform {
  /** Stored in every task row. */
  id: string
  /** Channel types that serve it. Default: those of the adapter that brings it. */
  channelTypes?: readonly number[]
  /** Default `tasks`. */
  screen?: TaskScreen
  /** A header that may hold the key if Authorization is missing or is a placeholder of the platform's clients. */
  keyHeader?: { name: string; placeholder?: string }
  routes: readonly TaskRoute[]
  /** How its clients expect an error. */
  writeError(error: ClientError): { status: number; body: JsonObject }
  /** US dollars, for a model that the price options do not contain. */
  defaultPrice(model: string): number
  /** How long a submit waits for its answer; default 60 000. */
  submitTimeoutMs?: number
  /** A failed submit may be tried on another channel, if its class allows it. */
  isRetryable?: boolean
  send(submit: TaskSubmit, context: TaskContext): UpstreamRequest
  /** Reads the JSON of a successful answer. @throws UpstreamError for an error inside it */
  readAnswer(body: unknown, submit: TaskSubmit): TaskAnswer
  poll: TaskPolling
  /** A task as its clients read it; hooks get the same. */
  show(task: TaskRecord, options: OptionReader): JsonObject
}

export type TaskContext = AttemptContext & {
  /** Our address, with a secret of this task, to which the upstream may report progress. Only for submits with a `hook`. */
  readonly hookUrl?: string | undefined
}

/** A call as routes see it. */
export interface TaskRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: JsonObject
  readonly options: OptionReader
}

/** The caller's own tasks of the platform; it cannot see those of others. */
export interface OwnTasks {
  find(taskId: string): Promise<TaskRecord | undefined>
  /** In the order of `ids`; unknown ones are left out. */
  list(taskIds: readonly string[]): Promise<TaskRecord[]>
}

/** The kinds of routes that a platform may have; `paths` are absolute, in Fastify's notation. */
export type TaskRoute =
  | TaskSubmitRoute
  | TaskReadRoute
  | TaskForwardRoute
  | TaskFileRoute
  | TaskCallbackRoute

/** Starts a paid task. */
export interface TaskSubmitRoute {
  kind: 'submit'
  paths: readonly string[]
  /** @throws AppError for what is wrong with the request */
  read(request: TaskRequest, own: OwnTasks): TaskSubmit | Promise<TaskSubmit>
}

/** Answers from the table. */
export interface TaskReadRoute {
  kind: 'read'
  method: 'GET' | 'POST'
  paths: readonly string[]
  answer(request: TaskRequest, own: OwnTasks): Promise<unknown>
}

/** Asks the channel of one of the caller's tasks and returns its JSON. */
export interface TaskForwardRoute {
  kind: 'forward'
  method: 'GET' | 'POST'
  paths: readonly string[]
  timeoutMs: number
  /** @throws AppError when the caller has no such task */
  task(request: TaskRequest, own: OwnTasks): Promise<TaskRecord>
  send(task: TaskRecord, channel: ChannelView): UpstreamRequest
}

/** Streams a result file to anyone whose address has the task's `file_key` as `key`. */
export interface TaskFileRoute {
  kind: 'file'
  paths: readonly string[]
  taskId(request: TaskRequest): string
  /** The file's address as the upstream gave it; undefined while there is none. */
  locate(task: TaskRecord): string | undefined
  /** Media types that may be served, e.g. `image/`, and the type of a file that has none. */
  mediaType: { prefix: string; fallback: string }
  missing: JsonObject
}

/** Accepts progress from the upstream: with the secret of the hook address, or the channel's key in `keyHeader`. */
export interface TaskCallbackRoute {
  kind: 'callback'
  paths: readonly string[]
  isOn(options: OptionReader): boolean
  read(body: JsonObject): TaskReport | undefined
}

/** A submit, read and checked. */
export interface TaskSubmit {
  action: string
  /** For price, channel and log. */
  model: string
  /** Path on the channel's host. */
  path: string
  /** The client's body with the edits that do not depend on the channel. */
  body: JsonObject
  input: string
  /** The task that this one follows: the call goes to its channel. */
  origin?: TaskRecord
  /** Never charged and not logged as consumption. */
  isFree?: boolean
  /** The client's address that is notified of every change. */
  hook?: string
}

export type TaskAnswer =
  | {
      isAccepted: true
      taskId: string
      /** What the client reads. */
      body: unknown
      code?: number
      /** Nothing was begun yet, so nothing is charged: the upstream waits for the client's next step. */
      isFree?: boolean
      /** What the answer already says about the task; it may be finished. */
      report?: Omit<TaskReport, 'taskId'>
    }
  | {
      isAccepted: false
      body: unknown
      code: number
      reason: string
      /** The channel is at fault and is disabled for this reason, if that is allowed. */
      channelFault?: string
    }

export interface TaskPolling {
  /** Tasks per call. */
  idsPerCall: number
  /** An unfinished task older than this counts as failed. */
  lifetimeMs: number
  request(tasks: readonly TaskRecord[], channel: ChannelView): UpstreamRequest
  /** Items of unknown ids are ignored. @throws UpstreamError if the body is not an answer */
  read(body: unknown): TaskReport[]
}

/** What the upstream says of one task; absent and empty fields leave the row's as they are. */
export interface TaskReport {
  taskId: string
  state: 'open' | 'succeeded' | 'failed'
  status?: string | undefined
  progress?: string | undefined
  failReason?: string | undefined
  input?: string
  /** Milliseconds since 1970. */
  submitMs?: number | undefined
  startMs?: number | undefined
  finishMs?: number | undefined
  data?: unknown
}

export interface TaskQuery {
  screen?: TaskScreen
  userId?: number
  channelId?: number | undefined
  platform?: string | undefined
  taskId?: string | undefined
  action?: string | undefined
  status?: string | undefined
  /** Milliseconds, both inclusive, compared with `submit_ms`. */
  fromMs?: number | undefined
  toMs?: number | undefined
}

/** Task rows as the log screens read them, newest first. */
export interface TaskService {
  list(
    query: TaskQuery,
    page: { offset: number; limit: number },
  ): Promise<{ items: TaskRecord[]; total: number }>
}

/** A refusal in the platform's own words: `code` and `text` go to the wire, the same in every language. */
export function taskRefusal(code: string, status: number, text: string = code): AppError {
  return new AppError({
    code: `task.${code}`,
    status,
    text: { en: text, zh: text },
    relayCode: code,
  })
}
