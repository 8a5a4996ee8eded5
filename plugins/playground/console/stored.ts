// The conversation and the settings in local storage: per user, and limited in size, because browsers give a site only a few megabytes. Drafts are in the
// storage of the tab.
import { readStoredJson, writeStored } from '#console'
import type { Message } from './message.ts'
import type { Settings } from './request.ts'

export const mostMessages = 100
const mostCharacters = 400_000

const conversationKey = (userId: number) => `playground:${userId}`
const settingsKey = (userId: number) => `playground-settings:${userId}`
const draftKey = (userId: number) => `playground-draft:${userId}`

export function readConversation(userId: number): Message[] {
  return storedMessages(userId).map(ended)
}

function storedMessages(userId: number): Message[] {
  const stored = readStoredJson<unknown>(conversationKey(userId))
  return Array.isArray(stored) ? stored.filter(isMessage) : []
}

/** Calls back with what another tab has written. Answers that are written there are left as they are. */
export function onConversationElsewhere(changed: (userId: number, stored: Message[]) => void) {
  globalThis.addEventListener?.('storage', ({ key }) => {
    const userId = Number(/^playground:(\d+)$/.exec(key ?? '')?.[1])
    if (userId > 0) changed(userId, storedMessages(userId))
  })
}

/** The newest messages that fit. Pictures are dropped first, because they are large. */
export function writeConversation(userId: number, messages: readonly Message[]): void {
  const kept = bounded(messages)
  writeStored(conversationKey(userId), kept.length > 0 ? JSON.stringify(kept) : undefined)
}

export function bounded(messages: readonly Message[]): Message[] {
  const newest = messages.slice(-mostMessages).map(withoutPictures)
  let room = mostCharacters
  const start = newest.findLastIndex((message) => {
    room -= JSON.stringify(message).length
    return room < 0
  })
  return newest.slice(start + 1)
}

function withoutPictures(message: Message): Message {
  const images = message.images?.filter((address) => !address.startsWith('data:'))
  return { ...message, images: images?.length ? images : undefined }
}

function isMessage(entry: unknown): entry is Message {
  const { id, role, content } = (entry ?? {}) as Partial<Message>
  return (
    typeof id === 'number' &&
    typeof content === 'string' &&
    (role === 'user' || role === 'assistant' || role === 'divider')
  )
}

/** An answer that was being written when the page closed is not continued. */
function ended(message: Message): Message {
  if (message.status === 'complete' || message.status === 'error') return message
  return { ...message, status: 'complete', isStopped: true }
}

export function readSettings(userId: number): Partial<Settings> {
  const stored = readStoredJson<Partial<Settings> | null>(settingsKey(userId))
  return typeof stored === 'object' && stored !== null ? stored : {}
}

export function writeSettings(userId: number, settings: Partial<Settings>): void {
  writeStored(settingsKey(userId), JSON.stringify(settings))
}

/** What was typed and not sent yet. It belongs to the tab: two of them write two questions. */
export function readDraft(userId: number): string {
  try {
    return sessionStorage.getItem(draftKey(userId)) ?? ''
  } catch {
    // Browsers may block the storage.
    return ''
  }
}

export function writeDraft(userId: number, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(draftKey(userId))
    else sessionStorage.setItem(draftKey(userId), text)
  } catch {
    // Blocked or full: the draft is lost when the screen is left.
  }
}
