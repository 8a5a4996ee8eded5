// Writes a fixture's `respond` to a socket: split, delayed or cut as the fixture says.
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { CannedResponse } from './fixture.ts'

/** Between two pieces of a split body. */
const pieceGapMs = 5

export async function sendCanned(response: ServerResponse, canned: CannedResponse): Promise<void> {
  if (canned.delayMs !== undefined) await wait(canned.delayMs)
  const pieces = split(bodyOf(canned), canned)
  response.writeHead(canned.status ?? 200, { ...canned.headers, ...lengthOf(pieces, canned) })
  for (const [index, piece] of pieces.entries()) {
    if (response.destroyed) return
    if (index > 0) await wait(pieceGapMs)
    await write(response, piece)
  }
  if (!canned.abort) {
    response.end()
    return
  }
  // What was written must leave before the socket breaks, or the cut would come too early.
  if (pieces.length === 0) response.flushHeaders()
  await wait(pieceGapMs)
  response.destroy()
}

export function bodyOf({ bodyJson, bodyText, bodyBase64 }: CannedResponse): Buffer {
  if (bodyBase64 !== undefined) return Buffer.from(bodyBase64, 'base64')
  if (bodyText !== undefined) return Buffer.from(bodyText)
  return bodyJson === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(bodyJson))
}

/** Cuts the body at the fixture's offsets; nothing to send gives no pieces. */
export function split(body: Buffer, { splitAt, splitEvery }: CannedResponse): Buffer[] {
  const offsets = splitEvery === undefined ? (splitAt ?? []) : every(splitEvery, body.length)
  const bounds = [0, ...offsets.filter((offset) => offset < body.length), body.length]
  return bounds
    .slice(1)
    .map((end, index) => body.subarray(bounds[index], end))
    .filter((piece) => piece.length > 0)
}

/** A whole answer states its length, as providers do; a split or cut one travels in chunks. */
function lengthOf(pieces: readonly Buffer[], { abort, headers }: CannedResponse): object {
  const isStream = JSON.stringify(headers ?? {}).includes('event-stream')
  if (abort || isStream || pieces.length > 1) return {}
  return { 'content-length': pieces[0]?.length ?? 0 }
}

function every(size: number, length: number): number[] {
  return Array.from({ length: Math.ceil(length / size) - 1 }, (_, index) => (index + 1) * size)
}

function write(response: ServerResponse, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    // The callback also comes, with an error, when the gateway has gone; that is no fault of the mock.
    response.write(piece, () => resolve())
  })
}
