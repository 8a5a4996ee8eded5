import { Readable } from 'node:stream'
import { callerOf, envelope, type PluginServices, readPage, type RouteApp } from '#core'
import { exportCalls, filterOf, listCalls, readCall, removeCalls } from './captured-calls.ts'
import type { Recorder } from './recorder.ts'
import { callInPath, callQuery, deleteBody, subjectBody, subjectInPath } from './schema.ts'
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
  app.get('/api/capture/self', { config: { access: 'user' } }, async (request) =>
    envelope(await ownCapture(services, subjects, callerOf(request).id)),
  )
}

function subjectRoutes(app: RouteApp, services: PluginServices, subjects: Subjects): void {
  app.get('/api/capture/subjects', { config }, async () => envelope(await listSubjects(services)))
  app.post('/api/capture/subjects', { config, schema: { body: subjectBody } }, async (request) => {
    await switchOn(services, subjects, callerOf(request), request.body)
    return envelope()
  })
  app.delete(
    '/api/capture/subjects/:kind/:id',
    { config, schema: { params: subjectInPath } },
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
    { config, schema: { querystring: callQuery } },
    async ({ query }) => {
      const found = await listCalls(services, filterOf(query), readPage(query))
      return envelope({ ...found, lost: recorder.lost, days: options.get<number>('CaptureDays') })
    },
  )
  // Compression is off, because the length of a compressed answer reveals something about its texts.
  app.get(
    '/api/capture/calls/:id',
    { config, compress: false, schema: { params: callInPath } },
    async (request) => envelope(await readCall(services, callerOf(request), request.params.id)),
  )
  app.get(
    '/api/capture/export',
    { config, schema: { querystring: callQuery } },
    (request, reply) => {
      const lines = exportCalls(services, callerOf(request), filterOf(request.query))
      return reply
        .header('content-type', 'application/octet-stream')
        .header('content-disposition', 'attachment; filename="captured-calls.jsonl"')
        .header('cache-control', 'no-store')
        .send(Readable.from(lines))
    },
  )
  app.post('/api/capture/delete', { config, schema: { body: deleteBody } }, async (request) => {
    const { ids } = request.body
    const deleted = await removeCalls(services, callerOf(request), ids)
    return envelope({ deleted })
  })
}
