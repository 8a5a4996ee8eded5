import { any, list, number, object, type RelayCall, text, whole, withExample } from './call.ts'

const submitted = object({
  code: whole('1 submitted, 21 exists already, 22 queued'),
  description: text(),
  result: text('The id of the task, for `/mj/task/{id}/fetch`.'),
})

const drawing = (summary: string, body?: RelayCall['body']): RelayCall => ({
  summary: `Drawing: ${summary}`,
  description:
    'Answers at once with the id of a task; what has become of it is asked for. The same under `/{mode}/mj/…`, where the mode (fast, relax, turbo) is the price.',
  ...(body === undefined ? {} : { body }),
  answer: submitted,
})

/** The calls by method and path of the route. */
export const taskCalls: Readonly<Record<string, RelayCall>> = {
  'POST /mj/submit/imagine': drawing(
    'by a text',
    withExample(object({ prompt: text(), base64Array: list(text()), state: text() }, ['prompt']), {
      prompt: 'A lighthouse at dusk --ar 16:9',
    }),
  ),
  'POST /mj/submit/action': drawing(
    'press a button of a picture',
    object({ taskId: text(), customId: text() }, ['taskId', 'customId']),
  ),
  'POST /mj/submit/change': drawing(
    'enlarge, vary or repeat',
    object({
      taskId: text(),
      action: text('UPSCALE, VARIATION or REROLL'),
      index: whole('1 to 4'),
    }),
  ),
  'POST /mj/submit/simple-change': drawing(
    'the same in one line',
    withExample(object({ content: text() }), { content: '1320098173412546 U2' }),
  ),
  'POST /mj/submit/describe': drawing('describe a picture', object({ base64: text() })),
  'POST /mj/submit/blend': drawing('blend pictures', object({ base64Array: list(text()) })),
  'POST /mj/submit/shorten': drawing('shorten a prompt', object({ prompt: text() })),
  'POST /mj/submit/modal': drawing(
    'answer a window',
    object({ taskId: text(), prompt: text(), maskBase64: text() }),
  ),
  'POST /mj/submit/edits': drawing('change a picture by a text', any()),
  'POST /mj/submit/video': drawing('make a film of a picture', any()),
  'POST /mj/submit/upload-discord-images': drawing(
    'upload pictures',
    object({ base64Array: list(text()) }),
  ),
  'POST /mj/insight-face/swap': drawing(
    'swap faces',
    object({ sourceBase64: text(), targetBase64: text() }),
  ),
  'GET /mj/task/:id/fetch': {
    summary: 'Drawing: what has become of a task',
    answer: object({
      id: text(),
      action: text(),
      status: text('NOT_START, SUBMITTED, IN_PROGRESS, SUCCESS or FAILURE'),
      progress: text('e.g. 45%'),
      imageUrl: text(),
      failReason: text(),
      submitTime: number('In milliseconds.'),
    }),
  },
  'GET /mj/task/:id/image-seed': { summary: 'Drawing: the seed of a picture' },
  'GET /mj/image/:id': {
    summary: 'Drawing: the picture itself, by the address that its task tells',
  },
  'POST /mj/task/list-by-condition': {
    summary: 'Drawing: several tasks at once',
    body: withExample(object({ ids: list(text()) }, ['ids']), { ids: ['1320098173412546'] }),
    answer: list(any()),
  },
  'POST /mj/notify': { summary: 'Drawing: where the drawing service reports; not for clients' },
  'POST /suno/submit/:action': {
    summary: 'Music: submit a task',
    description: '`action` is music or lyrics. Answers at once with the id of the task.',
    body: withExample(object({ prompt: text(), mv: text(), title: text(), tags: text() }), {
      prompt: 'A song about the sea',
    }),
    answer: object({ code: text('success'), message: text(), data: text('The id of the task.') }),
  },
  'POST /suno/fetch': {
    summary: 'Music: several tasks at once',
    body: withExample(object({ ids: list(text()) }), {
      ids: ['736a6f88-bd29-4b1e-b110-37132a5325ac'],
    }),
  },
  'GET /suno/fetch/:id': {
    summary: 'Music: what has become of a task',
    answer: object({ code: text(), message: text(), data: any('The task.') }),
  },
}
