import { type TaskPlatform } from 'tollgate'

/** The smallest platform of long work: it answers from its own table and never asks an upstream. */
export function platform(onAsked: () => void): TaskPlatform {
  const request = { url: 'https://tasks.example.com', method: 'POST', headers: {} } as const
  return {
    id: 'every-point',
    channelTypes: [],
    routes: [
      {
        kind: 'read',
        method: 'GET',
        paths: ['/every-point/task/:id'],
        answer: async ({ params }, own) => {
          onAsked()
          return { isKnown: (await own.find(params['id'] ?? '')) !== undefined }
        },
      },
    ],
    writeError: ({ status, message }) => ({ status, body: { message } }),
    defaultPrice: () => 0,
    send: () => request,
    readAnswer: () => ({ isAccepted: false, body: {}, code: 0, reason: 'nothing is served' }),
    poll: { idsPerCall: 1, lifetimeMs: 1000, request: () => request, read: () => [] },
    show: ({ task_id: id }) => ({ id }),
  }
}
