import { definePlugin } from '#core'
import { deleteCallsOf } from './capture-sql.ts'
import { migrations } from './migrations.ts'
import { captureOptions } from './options.ts'
import { Recorder } from './recorder.ts'
import { captureRoutes } from './routes.ts'
import { SUBJECTS_CHANGED, Subjects } from './subjects.ts'
import { sweep } from './sweep.ts'

const SWEEP_EVERY_MS = 60_000
const DAY_SECONDS = 86_400
const DELETE_SLICE = 500

export default definePlugin({
  id: 'capture',
  summary: {
    en: 'Keeps requests and answers of chosen users or tokens for some days',
    zh: '将指定用户或令牌的请求与回答保存若干天',
  },
  options: captureOptions,
  migrations,
  async server(services) {
    const { cluster, database, events, jobs, log, options, relayHooks, routes, secrets } = services
    const subjects = new Subjects(database)
    const callChars = () => options.get<number>('CaptureCallKilobytes') * 1024
    const recorder = new Recorder({ database, secrets, log, callChars })
    const reload = () => subjects.reload()
    // Read before the first call. If that fails, it is read when the plugin begins to serve.
    await reload().catch((error: unknown) =>
      log.warn({ err: error }, 'who is captured could not be read'),
    )
    cluster.subscribe(SUBJECTS_CHANGED, reload, reload)
    relayHooks.add({
      id: 'capture',
      stage: 'relay.observe',
      onFailure: 'open',
      maxChars: 1_048_576,
      applies: (view) => subjects.has(view),
      run: (view, seen) => recorder.keep(view, seen),
    })
    // When an account is deleted, its captured calls are deleted too.
    events.on('user.deleted', async ({ userId }) => {
      while ((await deleteCallsOf(database, userId, DELETE_SLICE)) === DELETE_SLICE);
    })
    jobs.add({
      id: 'capture-sweep',
      everyMs: SWEEP_EVERY_MS,
      isLeaderOnly: true,
      run: (signal) => {
        const before =
          Math.floor(Date.now() / 1000) - options.get<number>('CaptureDays') * DAY_SECONDS
        const mostSize = options.get<number>('CaptureTotalMegabytes') * 1_048_576
        return sweep(database, { before, mostSize }, signal)
      },
    })
    routes.add((app) => captureRoutes(app, services, { subjects, recorder }))
    return () => recorder.write()
  },
})
