// The way of a browser through a sign-in method: state, the provider's page, callback.
import type { TestGateway } from './gateway.ts'

export interface SignInReply {
  success: boolean
  message: string
  data?: { id: number; username: string; role: number }
}

/** Signs a new browser in by the method `id`. `agree` stands for the person at the provider's page: it gets the address that the browser was
 *  led to, and returns what the provider adds to the callback, most often a code. */
export async function signInAt(
  { url }: Pick<TestGateway, 'url'>,
  id: string,
  agree: (page: URL) => Record<string, string> | Promise<Record<string, string>>,
): Promise<SignInReply> {
  const begun = await fetch(`${url}/api/oauth/state?provider=${encodeURIComponent(id)}`)
  const cookie = begun.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const {
    data: state,
    authorize_url: page,
    message,
  } = (await begun.json()) as {
    data: string
    authorize_url?: string
    message: string
  }
  if (page === undefined) throw new Error(`"${id}" leads to no page: ${message}`)
  const query = new URLSearchParams({ state, ...(await agree(new URL(page))) })
  const done = await fetch(`${url}/api/oauth/${id}?${query.toString()}`, { headers: { cookie } })
  return (await done.json()) as SignInReply
}
