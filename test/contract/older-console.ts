// A v0.6 web console as its server sees it: headers, bodies and what it reads of an answer. Written from the two documents, from no code.
import { expect } from 'vitest'

export interface Shown {
  success: boolean
  message: string
  data: unknown
  [beside: string]: unknown
}

/** What it keeps in the browser under `user`. */
interface KeptUser {
  id: number
  username: string
  role: number
  group: string
}

export class OlderConsole {
  readonly #origin: string
  #cookie = ''
  user: KeptUser | undefined

  constructor(origin: string) {
    this.#origin = origin
  }

  /** What its one HTTP client does; anything but 200 is no answer for it. */
  async ask(method: string, path: string, body?: unknown): Promise<Shown> {
    const response = await fetch(this.#origin + path, {
      method,
      redirect: 'error',
      headers: {
        accept: 'application/json, text/plain, */*',
        'New-API-User': String(this.user?.id ?? -1),
        'Cache-Control': 'no-store',
        ...(method === 'GET' ? {} : { origin: this.#origin }),
        ...(this.#cookie === '' ? {} : { cookie: this.#cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const session = response.headers.getSetCookie().find((line) => line.startsWith('session='))
    if (session) this.#cookie = session.split(';', 1)[0] ?? ''
    expect(response.status, `${method} ${path}`).toBe(200)
    return (await response.json()) as Shown
  }

  /** A call whose failure it would show as an error. */
  async ok<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const shown = await this.ask(method, path, body)
    expect(shown.success, `${method} ${path}: ${shown.message}`).toBe(true)
    return shown.data as T
  }

  get<T = unknown>(path: string): Promise<T> {
    return this.ok<T>('GET', path)
  }

  async signIn(username: string, password: string): Promise<this> {
    const body = { username, password }
    this.user = await this.ok<KeptUser>('POST', '/api/user/login?turnstile=', body)
    return this
  }

  async signOut(): Promise<void> {
    await this.get('/api/user/logout')
    this.user = undefined
  }

  /** The event stream of its playground, as text. */
  async play(body: object): Promise<string> {
    const response = await fetch(`${this.#origin}/pg/chat/completions`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'New-Api-User': String(this.user?.id ?? -1),
        origin: this.#origin,
        cookie: this.#cookie,
      },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(200)
    return response.text()
  }
}
