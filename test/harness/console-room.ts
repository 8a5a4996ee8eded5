// A gateway and a browser for the tests of one file: the start of every journey in the console.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { type App, type AppOptions, rootAccount, startApp } from './app.ts'
import {
  buildConsole,
  chromiumPath,
  type ConsolePage,
  openBrowser,
  openPage,
  signInPage,
  type Viewer,
} from './browser.ts'
import { customerPassword } from './shop.ts'
import { textsOf } from './texts.ts'

export const languages = ['en', 'zh'] as const
export type Language = (typeof languages)[number]

export interface ConsoleRoomSetup extends AppOptions {
  /** Prepares options, channels and customers before the first page is opened. */
  prepare?: (app: App) => Promise<unknown>
  /** Runs after the gateway has ended, to close what `prepare` opened beside it. */
  finish?: () => Promise<unknown>
}

/** The account and the settings of a page. Without an account the page is a visitor's. */
export interface Sitter extends Viewer {
  account?: { username: string; password: string }
}

/** A page that stays open for the tests of one `describe`. */
export interface Seat {
  readonly page: Page
  readonly faults: string[]
}

export interface ConsoleRoom {
  readonly app: App
  /** A page for one test. */
  open(viewer?: Viewer): Promise<ConsolePage>
  /** Call it in a `describe`: it opens before the tests and closes after them. */
  sit(sitter?: Sitter): Seat
}

const chromium = chromiumPath()
const openMs = 120_000

/** Undefined where there is no Chromium. */
export function describeConsole(
  title: string,
  setup: ConsoleRoomSetup,
  tests: (room: ConsoleRoom) => void,
): void {
  describe.runIf(chromium)(title, () => tests(openRoom(setup)))
}

/** A journey in one language: the room, and pages of users of that language. */
export interface Desk {
  readonly room: ConsoleRoom
  readonly language: Language
  /** The texts of the console itself, and those of a plugin. */
  readonly own: ReturnType<typeof textsOf>
  textsOf(plugin: string): ReturnType<typeof textsOf>
  sitAsAdmin(): Seat
  /** Opens a page as a customer that `addCustomer` has made. */
  sitAs(username: string): Seat
}

/** Runs the same journey once in each language. */
export function describeInLanguages(
  title: string,
  setup: ConsoleRoomSetup,
  story: (desk: Desk) => void,
): void {
  describeConsole(title, setup, (room) =>
    describe.each(languages)('in %s', (language) => story(deskOf(room, language))),
  )
}

function deskOf(room: ConsoleRoom, language: Language): Desk {
  return {
    room,
    language,
    own: textsOf('console', language),
    textsOf: (plugin) => textsOf(plugin, language),
    sitAsAdmin: () => room.sit({ language, account: rootAccount }),
    sitAs: (username) => room.sit({ language, account: { username, password: customerPassword } }),
  }
}

function openRoom({ prepare, finish, ...options }: ConsoleRoomSetup): ConsoleRoom {
  let app: App | undefined
  let browser: Browser | undefined

  beforeAll(async () => {
    buildConsole()
    app = await startApp({ isWithin: true, ...options })
    await prepare?.(app)
    browser = await openBrowser(chromium ?? '')
  }, openMs)
  afterAll(async () => {
    await browser?.close()
    await app?.close()
    await finish?.()
  })

  const room: ConsoleRoom = {
    get app() {
      return opened(app)
    },
    open: (viewer) => openPage(opened(browser), room.app.url, viewer),
    sit: (sitter = {}) => takeSeat(room, sitter),
  }
  return room
}

function takeSeat(room: ConsoleRoom, { account, ...viewer }: Sitter): Seat {
  let open: ConsolePage | undefined
  beforeAll(async () => {
    open = await room.open(viewer)
    if (account) await signInPage(open.page, account, viewer.language)
  }, openMs)
  afterAll(() => open?.page.context().close())
  return {
    get page() {
      return opened(open).page
    },
    get faults() {
      return opened(open).faults
    },
  }
}

function opened<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('the room is not open yet')
  return part
}
