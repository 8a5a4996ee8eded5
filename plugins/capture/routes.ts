import { Readable } from 'node:stream'
import { callerOf, envelope, type PluginServices, readPage, type RouteApp } from '#core'
import { exportCalls, filterOf, listCalls, readCall, removeCalls } from './captured-calls.ts'
import type { Recorder } from './recorder.ts'
import {
  callInPath,
  callQuery,
  deleteBody,
  MOST_EXPORTED,
  subjectBody,
  subjectInPath,
} from './schema.ts'
import type { Subjects } from './subjects.ts'
import { listSubjects, ownCapture, switchOff, switchOn } from './switch-capture.ts'

const config = { access: 'root' } as const

export function captureRoutes(
  app: RouteApp,
  services: PluginServices,
  { subjects, recorder }: { subjects: Subjects; recorder: Recorder },
): void {
  subjectRoutes(app, services, subjects)
  callRoutes(app, services, recorder)
  const own = { summary: "Show which of one's own calls are captured, and for how many days" }
  app.get('/api/capture/self', { config: { access: 'user' }, schema: own }, async (request) =>
    envelope(await ownCapture(services, subjects, callerOf(request).id)),
  )
}

function subjectRoutes(app: RouteApp, services: PluginServices, subjects: Subjects): void {
  const listed = { summary: 'List the users and tokens whose calls are captured' }
  app.get('/api/capture/subjects', { config, schema: listed }, async () =>
    envelope(await listSubjects(services)),
  )
  const begun = {
    summary: 'Capture the calls of a user or token; the owner is told',
    body: subjectBody,
  }
  app.post('/api/capture/subjects', { config, schema: begun }, async (request) => {
    await switchOn(services, subjects, callerOf(request), request.body)
    return envelope()
  })
  app.delete(
    '/api/capture/subjects/:kind/:id',
    {
      config,
      schema: {
        summary: 'Stop capturing the calls of a user or token; captured ones stay',
        params: subjectInPath,
      },
    },
    async (request) => {
      await switchOff(services, subjects, callerOf(request), request.params)
      return envelope()
    },
  )
}

function callRoutes(app: RouteApp, services: PluginServices, recorder: Recorder): void {
  const { options } = services
  app.get(
    '/api/capture/calls',
    {
      config,
      schema: {
        summary: 'List captured calls without their texts, newest first, by page',
        querystring: callQuery,
      },
    },
    async ({ query }) => {
      const found = await listCalls(services, filterOf(query), readPage(query))
      return envelope({ ...found, lost: recorder.lost, days: options.get<number>('CaptureDays') })
    },
  )
  // Compression is off, because the length of a compressed answer reveals something about its texts.
  app.get(
    '/api/capture/calls/:id',
    {
      config,
      compress: false,
      schema: {
        summary: 'Show a captured call with its texts; it is logged who read it',
        params: callInPath,
      },
    },
    async (request) => envelope(await readCall(services, callerOf(request), request.params.id)),
  )
  app.get(
    '/api/capture/export',
    {
      config,
      schema: {
        summary: `Download the newest ${MOST_EXPORTED} captured calls as JSON lines; it is logged`,
        querystring: callQuery,
        produces: ['application/octet-stream'],
      },
    },
    (request, reply) => {
      const lines = exportCalls(services, callerOf(request), filterOf(request.query))
      return reply
        .header('content-type', 'application/octet-stream')
        .header('content-disposition', 'attachment; filename="captured-calls.jsonl"')
        .header('cache-control', 'no-store')
        .send(Readable.from(lines))
    },
  )
  const deleted = { summary: 'Delete captured calls; answers with their number', body: deleteBody }
  app.post('/api/capture/delete', { config, schema: deleted }, async (request) => {
    const { ids } = request.body
    const deleted = await removeCalls(services, callerOf(request), ids)
    return envelope({ deleted })
  })
}
