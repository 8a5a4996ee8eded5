import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

export interface InjectAnswer<T = unknown> {
  status: number
  headers: Record<string, unknown>
  success: boolean
  message: string
  code?: string
  data: T
}

/** Calls an app that listens on no port; keeps its cookie and names its user, as the console does. */
export class InjectClient {
  readonly #app: FastifyInstance
  #cookie = ''
  #userId = -1
  #token = ''

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  get userId(): number {
    return this.#userId
  }

  /** A browser that has signed in. */
  useSession(userId: number, secret: string): this {
    this.#userId = userId
    this.#cookie = `session=${secret}`
    return this
  }

  async signIn(username: string, password: string): Promise<this> {
    const answer = await this.call<{ id: number }>('POST', '/api/user/login', {
      username,
      password,
    })
    if (!answer.success) throw new Error(`${username} cannot sign in: ${answer.message}`)
    this.#userId = answer.data.id
    return this
  }

  /** A program with a system access token and without a cookie. */
  useToken(userId: number, token: string): this {
    this.#userId = userId
    this.#token = token
    this.#cookie = ''
    return this
  }

  async call<T = unknown>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: unknown,
  ): Promise<InjectAnswer<T>> {
    const { status, headers, text } = await this.raw(method, url, body)
    const parsed = JSON.parse(text) as Omit<InjectAnswer<T>, 'status' | 'headers'>
    return { status, headers, ...parsed }
  }

  /** For answers that are not JSON. A request body that is a stream is read only after the caller was admitted. */
  async raw(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: unknown,
  ): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
    const response = await this.#app.inject({
      method,
      url,
      headers: {
        'new-api-user': String(this.#userId),
        'content-type': 'application/json',
        ...(this.#cookie === '' ? {} : { cookie: this.#cookie }),
        ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
      },
      ...(body === undefined
        ? {}
        : { payload: body instanceof Readable ? body : JSON.stringify(body) }),
    })
    const cookies = [response.headers['set-cookie'] ?? []].flat()
    if (cookies.length > 0)
      this.#cookie = cookies.map((line) => line.split(';', 1)[0] ?? '').join('; ')
    return { status: response.statusCode, headers: response.headers, text: response.body }
  }
}
