// Signature Version 4. Source: docs.aws.amazon.com, "AWS Signature Version 4 for API requests".
import { AwsV4Signer } from 'aws4fetch'
import type { UpstreamRequest } from '#core'

export interface SigningKeys {
  accessKeyId: string
  secretAccessKey: string
  region: string
}

/** Adds x-amz-date and authorization; all headers of the request are signed, and the host that is really called. */
export async function sign(
  request: UpstreamRequest,
  keys: SigningKeys,
  now: Date,
  service = 'bedrock',
): Promise<UpstreamRequest> {
  const signer = new AwsV4Signer({
    ...keys,
    service,
    method: request.method,
    url: request.url,
    headers: request.headers,
    body: Array.isArray(request.body) ? '' : new Uint8Array(Buffer.from(request.body ?? '')),
    datetime: now.toISOString().replace(/[-:]|\.\d{3}/g, ''),
    allHeaders: true,
  })
  const signed = await signer.sign()
  // The client writes `host` itself, from the same address.
  const { host: _host, ...headers } = Object.fromEntries(signed.headers)
  return { ...request, headers }
}
