import { createElement, Suspense } from 'react'
import { matchPath, Route, Routes, ScrollRestoration, useLocation } from 'react-router-dom'
import { ConfirmHost } from '../kit/confirm.tsx'
import { ManualCopyHost } from '../kit/values/copy.tsx'
import { LeaveHost } from '../kit/leave-host.tsx'
import { ErrorState, Loading } from '../kit/states.tsx'
import { useIsPhone } from '../kit/use-is-phone.ts'
import type { Owned, Screen } from '../registry/console-plugin.ts'
import { builtInPlugins } from '../registry/discover.ts'
import { componentOf } from '../registry/owned-component.ts'
import { PluginBoundary } from '../registry/plugin-boundary.tsx'
import { Quiet } from '../registry/quiet.tsx'
import { useRegistry } from '../registry/registry.ts'
import { useSession } from '../stores/session.ts'
import { useStatusStore } from '../stores/status.ts'
import { titlesOf, useTexts } from '../texts/use-texts.ts'
import { Footer } from './footer.tsx'
import { Guard, SetupGate } from './guard.tsx'
import { currentLink, useMenu } from './menu.ts'
import { NotFoundScreen } from './not-found-screen.tsx'
import { RoleHost } from './role-host.tsx'
import { Sidebar } from './sidebar.tsx'
import { ProveHost } from './prove.tsx'
import { SignInAgainHost } from './sign-in-again.tsx'
import { TopBar } from './top-bar.tsx'
import { useFocusOnPage } from './use-focus-on-page.ts'
import { usePageTitle } from './use-page-title.ts'
import { useSidebar } from './use-sidebar.ts'
import { useStart } from './use-start.ts'

/** The frame around every screen. */
export function Shell() {
  const t = useTexts()
  const { isReady, fault, retry } = useStart()
  const { status, state } = useStatusStore()
  const screens = useRegistry((registry) => registry.screens)
  const { pathname } = useLocation()
  useFocusOnPage(pathname)
  const isPhone = useIsPhone()
  const { isCollapsed, setCollapsed } = useSidebar()
  const menu = useMenu()
  const { user, handovers } = useSession()
  const screen = screens.find(({ path }) => matchPath(path, pathname))
  const frame = screen?.frame ?? (isReady ? 'console' : likelyFrame(pathname))
  const hasEntries = menu.groups.length > 0 || (!isReady && user !== undefined)
  const hasSidebar = frame === 'console' && !isPhone && hasEntries
  const current = currentLink(menu, screens, pathname)
  const sidebar = hasSidebar ? (isCollapsed ? 'collapsed' : 'open') : 'none'

  return (
    <div className="shell" data-frame={frame} data-sidebar={sidebar}>
      <a className="skip-link" href="#content">
        {t('shell.skip')}
      </a>
      {/* A menu that fails does not affect the screen. */}
      <Quiet>{frame === 'bare' ? null : <TopBar menu={menu} current={current} />}</Quiet>
      <Quiet>
        {hasSidebar ? (
          <Sidebar
            groups={menu.groups}
            current={current}
            isCollapsed={isCollapsed}
            setCollapsed={setCollapsed}
          />
        ) : null}
      </Quiet>
      {/* The key makes a screen with another frame, or of another user, a new page instead of an animated change. */}
      <main key={`${frame} ${handovers}`} id="content" tabIndex={-1}>
        {!isReady ? (
          <Loading />
        ) : state === 'failed' && !status && fault ? (
          <ErrorState {...fault} onRetry={retry} />
        ) : (
          <SetupGate>
            <Screens screens={screens} />
          </SetupGate>
        )}
        {frame === 'bare' ? null : <Footer />}
      </main>
      <ScrollRestoration />
      <LeaveHost />
      <ConfirmHost />
      <ManualCopyHost />
      <SignInAgainHost />
      <ProveHost />
      {user && frame === 'console' ? <RoleHost /> : null}
    </div>
  )
}

/** Shown before the server has said which plugins are on. It has the size of the screen, so that nothing moves
 *  later. */
function likelyFrame(pathname: string) {
  const all = Object.values(builtInPlugins()).flatMap(({ screens = [] }) => screens)
  return all.find(({ path }) => matchPath(path, pathname))?.frame ?? 'console'
}

function Screens({ screens }: { screens: readonly Owned<Screen>[] }) {
  const isComplete = useRegistry((registry) => registry.isComplete)
  // Addresses with the same loader are one screen: a drawer with its own address opens above the unchanged list.
  const keyOf = (screen: Screen) => screens.find(({ load }) => load === screen.load)?.path
  return (
    <Routes>
      {screens.map((screen) => (
        <Route
          key={screen.path}
          path={screen.path}
          element={
            <Guard access={screen.access ?? 'user'}>
              <ScreenView key={keyOf(screen)} screen={screen} />
            </Guard>
          }
        />
      ))}
      {/* An external plugin's screen may still be loading. */}
      <Route path="*" element={isComplete ? <NotFoundScreen /> : <Loading />} />
    </Routes>
  )
}

function ScreenView({ screen }: { screen: Owned<Screen> }) {
  useTexts()
  usePageTitle(titlesOf(screen.owner)(screen.title))
  return (
    <PluginBoundary owner={screen.owner}>
      <Suspense fallback={<Loading />}>{createElement(componentOf(screen))}</Suspense>
    </PluginBoundary>
  )
}
