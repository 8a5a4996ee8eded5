// What a provider refuses for its content is told in its own words, by which programs know it.
import { expect, it } from 'vitest'
import { relayRoom, sendJson } from '#test'

const room = relayRoom({ channels: [{ models: 'm' }], priced: ['m'], customer: 'painter' })

const chat = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }
const picture = { model: 'm', prompt: 'Hi' }

it.each([
  ['/v1/chat/completions', chat, 'invalid_request_error', 'invalid_request_error'],
  ['/v1/images/generations', picture, 'invalid_request_error', 'invalid_request_error'],
  ['/v1/images/generations', picture, 'image_generation_user_error', 'image_generation_user_error'],
  ['/v1/chat/completions', chat, null, 'content_filter'],
])('%s %j: the type %s is read as %s', async (path, body, type, read) => {
  const code = 'content_policy_violation'
  const message = 'Your request was rejected as a result of our safety system.'
  room.upstream.behave((response) =>
    sendJson(response, { error: { message, type, param: null, code } }, 400),
  )
  const answer = await room.post(path, body)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({
    error: { type: read, code, message: expect.stringContaining(message) as string },
  })
})
