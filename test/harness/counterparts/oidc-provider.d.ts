// The part of a package without types that the harness uses.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ prompt: { name: string }; params: Record<string, string>; grantId?: string }>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
    ): Promise<void>
    Grant: new (input: {
      accountId: string
      clientId: string
    }) => {
      addOIDCScope(scope: string): void
      save(): Promise<string>
    }
  }
}
