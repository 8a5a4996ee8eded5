// A signed-in caller of the console API.
import { objectIn } from '../../core/contract/json.ts'

export interface Answer<T = unknown> {
  status: number
  headers: Headers
  success: boolean
  message: string
  code?: string
  data: T
  /** The whole body, for keys beside `data`. */
  body: Record<string, unknown>
}

export class ApiRefusal extends Error {
  readonly answer: Answer

  constructor(call: string, answer: Answer) {
    super(`${call} was refused (${answer.status}): ${answer.message}`)
    this.name = 'ApiRefusal'
    this.answer = answer
  }
}

export class ApiClient {
  readonly url: string
  #cookie = ''
  #userId = -1

  constructor(url: string) {
    this.url = url
  }

  get userId(): number {
    return this.#userId
  }

  /** The value of the cookie, for a browser that should be signed in as this caller. */
  get sessionCookie(): string {
    return this.#cookie
  }

  /** The same caller at another address of the gateway. */
  at(url: string): ApiClient {
    const client = new ApiClient(url)
    client.#cookie = this.#cookie
    client.#userId = this.#userId
    return client
  }

  async signIn(username: string, password: string): Promise<this> {
    const answer = await this.call<{ id: number }>('POST', '/api/user/login', {
      username,
      password,
    })
    if (!answer.success) throw new ApiRefusal('sign-in', answer)
    const cookies = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0])
    this.#cookie = cookies.join('; ')
    this.#userId = answer.data.id
    return this
  }

  /** Sends the call and returns any answer; a refusal does not throw. */
  async call<T = unknown>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const headers: Record<string, string> =
      body === undefined ? {} : { 'content-type': 'application/json' }
    return this.#send<T>(
      method,
      path,
      headers,
      body === undefined ? undefined : JSON.stringify(body),
    )
  }

  async #send<T>(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | Buffer<ArrayBuffer> | undefined,
  ): Promise<Answer<T>> {
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        'New-API-User': String(this.#userId),
        ...(this.#cookie === '' ? {} : { cookie: this.#cookie }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    const parsed = objectIn(text) ?? {}
    return {
      status: response.status,
      headers: response.headers,
      success: parsed['success'] === true,
      message: typeof parsed['message'] === 'string' ? parsed['message'] : text.slice(0, 300),
      ...(typeof parsed['code'] === 'string' ? { code: parsed['code'] } : {}),
      data: parsed['data'] as T,
      body: parsed,
    }
  }

  /** Uploads a file. */
  async sendFile<T = unknown>(path: string, bytes: Uint8Array): Promise<Answer<T>> {
    const headers = { 'content-type': 'application/gzip' }
    return this.#send<T>('POST', path, headers, Buffer.from(bytes))
  }

  /** Switches a plugin, and confirms what it asks for. */
  async switchPlugin(id: string, enabled: boolean): Promise<Answer> {
    const send = (confirm?: unknown) => this.call('PUT', '/api/plugin/', { id, enabled, confirm })
    const answer = await send()
    if (answer.code !== 'plugins.confirm') return answer
    return send((answer.body['values'] as { hash: string }).hash)
  }

  get<T = unknown>(path: string): Promise<T> {
    return this.#expect<T>('GET', path)
  }

  post<T = unknown>(path: string, body?: unknown): Promise<T> {
    return this.#expect<T>('POST', path, body)
  }

  put<T = unknown>(path: string, body: unknown): Promise<T> {
    return this.#expect<T>('PUT', path, body)
  }

  delete<T = unknown>(path: string): Promise<T> {
    return this.#expect<T>('DELETE', path)
  }

  /** @throws ApiRefusal if the answer is not a success */
  async #expect<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.call<T>(method, path, body)
    if (!answer.success) throw new ApiRefusal(`${method} ${path}`, answer)
    return answer.data
  }
}
