import { Drawer } from '@arco-design/web-react'
import { IconMenu, IconMoonFill, IconSunFill } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { FocusReturn } from '../kit/focus-return.tsx'
import { ActionMenu } from '../kit/lists/action-menu.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { toast } from '../kit/toast.ts'
import { useIsPhone } from '../kit/use-is-phone.ts'
import { type Language, usePreferences } from '../stores/preferences.ts'
import { useSession } from '../stores/session.ts'
import { useStatus } from '../stores/status.ts'
import { useTexts } from '../texts/use-texts.ts'
import { AccountMenu } from './account-menu.tsx'
import type { ShellMenu } from './menu.ts'
import { MenuLink } from './menu-link.tsx'
import { SidebarMenu } from './sidebar.tsx'

export function TopBar({ menu, current }: { menu: ShellMenu; current: string | undefined }) {
  const t = useTexts()
  const isSetUp = useStatus()?.setup !== false
  const isPhone = useIsPhone()
  const user = useSession((session) => session.user)
  const isInConsole = menu.groups.some(({ items }) =>
    items.some(
      ({ link, children }) => link === current || children.some((child) => child.link === current),
    ),
  )
  return (
    <header className="top-bar">
      {isPhone && isSetUp ? <PhoneMenu menu={menu} current={current} /> : null}
      <Brand />
      {isPhone || !isSetUp ? null : (
        <nav className="top-links" aria-label={t('shell.mainMenu')}>
          {menu.top.map(({ key, label, link }) => (
            <MenuLink
              key={key}
              to={link}
              // The sidebar marks the screen. The top bar marks the part of the console that it belongs to.
              isCurrent={key !== 'console' && link === current}
              className={key === 'console' && isInConsole ? 'is-within' : undefined}
            >
              {label}
            </MenuLink>
          ))}
        </nav>
      )}
      <div className="top-right">
        {isPhone ? null : <ModeBadges />}
        <NewYear />
        <ThemeButton />
        <LanguageButton />
        {isSetUp ? user ? <AccountMenu user={user} /> : <VisitorLinks /> : null}
      </div>
    </header>
  )
}

function Brand() {
  const status = useStatus()
  const name = status?.system_name || 'Tollgate'
  return (
    <Link to="/" className="brand">
      <img src={status?.logo || '/logo.png'} alt="" width={28} height={28} />
      <span>{name}</span>
    </Link>
  )
}

function ModeBadges() {
  const t = useTexts()
  const status = useStatus()
  return (
    <>
      {status?.self_use_mode_enabled ? (
        <span className="mode-badge">{t('shell.selfUse')}</span>
      ) : null}
      {status?.demo_site_enabled ? <span className="mode-badge">{t('shell.demo')}</span> : null}
    </>
  )
}

function NewYear() {
  const t = useTexts()
  const [today] = useState(() => new Date())
  if (today.getMonth() !== 0 || today.getDate() !== 1) return null
  return (
    <button
      type="button"
      className="new-year"
      onClick={() => toast.success(t('shell.newYearToast'))}
    >
      {t('shell.newYear')}
    </button>
  )
}

function ThemeButton() {
  const t = useTexts()
  const { theme, setTheme } = usePreferences()
  const other = theme === 'dark' ? 'light' : 'dark'
  return (
    <IconButton
      icon={other === 'light' ? <IconSunFill /> : <IconMoonFill />}
      label={t(`shell.${other}`)}
      onClick={() => setTheme(other)}
    />
  )
}

const languages: readonly { id: Language; name: string; short: string }[] = [
  { id: 'zh', name: '中文', short: '中' },
  { id: 'en', name: 'English', short: 'EN' },
]

function LanguageButton() {
  const t = useTexts()
  const { language, setLanguage } = usePreferences()
  const current = languages.find(({ id }) => id === language)
  return (
    <ActionMenu
      label={t('shell.language')}
      actions={languages.map(({ id, name }) => ({ label: name, run: () => setLanguage(id) }))}
    >
      <button type="button" className="language-button">
        {current?.short}
        <span className="visually-hidden">{` ${t('shell.language')}: ${current?.name}`}</span>
      </button>
    </ActionMenu>
  )
}

function VisitorLinks() {
  const t = useTexts()
  const status = useStatus()
  const canRegister = (status?.register_enabled ?? true) && !status?.self_use_mode_enabled
  return (
    <div className="visitor-links">
      <Link to="/login">{t('shell.login')}</Link>
      {canRegister ? (
        <Link to="/register" className="button-link">
          {t('shell.register')}
        </Link>
      ) : null}
    </div>
  )
}

function PhoneMenu({ menu, current }: { menu: ShellMenu; current: string | undefined }) {
  const t = useTexts()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const dialog = { role: 'dialog', 'aria-modal': true, 'aria-label': t('shell.mainMenu') }
  // The entries of the console follow below; a link to the first of them would be marked as current twice.
  const main = { group: 'top' as const, items: menu.top.filter(({ key }) => key !== 'console') }
  return (
    <>
      <IconButton
        icon={<IconMenu />}
        label={t('shell.openMenu')}
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      />
      <Drawer
        {...dialog}
        visible={isOpen}
        onCancel={close}
        placement="left"
        width={264}
        title={null}
        footer={null}
        closable={false}
        className="phone-menu"
        unmountOnExit
        autoFocus
        focusLock
      >
        <FocusReturn onBack={close} />
        <ModeBadges />
        <SidebarMenu groups={[main, ...menu.groups]} current={current} onNavigate={close} />
      </Drawer>
    </>
  )
}
