// What a body can name of the operator's own Google Cloud project. The channel's account would read it, write it or pay
// for it on behalf of any customer who knows or guesses the name. Source: docs.cloud.google.com, Vertex AI reference, pages
// "FileData" and "Tool": `retrieval` asks data stores, and sends secrets of the project to an address that the body names;
// page "Grounding with Parallel": a search without a key is billed to the project's subscription; types of @google/genai
// 3.3.0, "GenerationOutputConfig": Google writes what the model draws or says to a place in Cloud Storage.
import { isObject, type AttemptContext, type Body, type OptionUi, Type } from '#core'
import { unsupportedParameter } from '#adapter-kit'

export const vertexSettings = Type.Object({
  allow_project_data: Type.Optional(
    Type.Boolean({
      'x-ui': {
        label: { en: 'Clients may name data of the project', zh: '允许客户端引用项目内的数据' },
        help: {
          en: 'Files in Cloud Storage (gs://…) and data stores (the tool retrieval) that the account of this channel can read, places there that it can write (outputConfig), and your subscription to Parallel. Only for customers who may use all of them.',
          zh: '即本渠道账号可读取的 Cloud Storage 文件（gs://…）和数据存储（retrieval 工具）、可写入的存储位置（outputConfig），以及您的 Parallel 订阅。仅在客户可以使用全部这些内容时开启。',
        },
      } satisfies OptionUi,
    }),
  ),
})

const inStorage = /^\s*gs:/i
const outputs = ['outputConfig', 'output_config'] as const
const searches = ['parallelAiSearch', 'parallel_ai_search'] as const
/** Those of a part that hold a file, and those that hold further parts, in both spellings. */
const files = ['fileData', 'file_data'] as const
const addresses = ['fileUri', 'file_uri'] as const
const nested = ['functionResponse', 'function_response'] as const
/** What functions have answered in a Live session. */
const answers = ['functionResponses', 'function_responses'] as const

/** @throws request.unsupported_parameter */
export function refuseProjectData(body: Body, { channel }: Pick<AttemptContext, 'channel'>): void {
  if (channel.setting['allow_project_data'] === true) return
  for (const name of ['contents', 'systemInstruction', 'system_instruction', 'messages'])
    for (const turn of [body[name]].flat()) refuseFiles(turn)
  for (const name of outputs)
    if (isObject(body[name]))
      throw unsupportedParameter(name, 'nothing is written to Cloud Storage here')
  // Google takes a single object for a list of them.
  const tools: unknown[] = [body['tools']].flat()
  for (const tool of tools.filter(isObject)) refuseTool(tool)
}

function refuseTool(tool: Body): void {
  if ('retrieval' in tool)
    throw unsupportedParameter('tools.retrieval', 'data stores are not asked here')
  for (const name of searches) {
    const search = tool[name]
    if (isObject(search) && !hasKey(search))
      throw unsupportedParameter(`tools.${name}`, 'it needs an apiKey of your own here')
  }
}

function hasKey(search: Body): boolean {
  return [search['apiKey'], search['api_key']].some((key) => typeof key === 'string' && key !== '')
}

/** The same for a message of a Live session. @throws request.unsupported_parameter */
export function refuseProjectDataLive(
  message: Body,
  context: Pick<AttemptContext, 'channel'>,
): void {
  for (const said of Object.values(message)) {
    if (!isObject(said)) continue
    const answered = answers
      .flatMap((name) => said[name])
      .map((parts) => ({ functionResponse: parts }))
    const contents = [said['turns'], { parts: answered }].flat()
    refuseProjectData({ ...said, contents }, context)
  }
}

/** Of a turn, or of what a function has answered. */
function refuseFiles(holder: unknown): void {
  if (!isObject(holder)) return
  for (const part of [holder['parts'], holder['content']].flat()) {
    if (!isObject(part)) continue
    if (addressesOf(part).some((address) => typeof address === 'string' && inStorage.test(address)))
      throw unsupportedParameter('gs://', 'files in Cloud Storage are not read here')
    for (const name of nested) refuseFiles(part[name])
  }
}

/** In Google's form and in OpenAI's. */
function addressesOf({ image_url: picture, ...part }: Body): unknown[] {
  const held = files.map((name) => part[name]).filter(isObject)
  const shown = isObject(picture) ? picture['url'] : picture
  return [shown, ...held.flatMap((file) => addresses.map((name) => file[name]))]
}
