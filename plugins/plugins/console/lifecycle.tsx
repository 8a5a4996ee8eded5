import { Button } from '@arco-design/web-react'
import { IconSync } from '@arco-design/web-react/icon'
import { useState } from 'react'
import {
  AddButton,
  api,
  type List,
  mayAccess,
  toast,
  useAction,
  useRegistry,
  useSession,
  useTexts,
} from '#console'
import type { PluginRow } from '../schema.ts'
import { InstallPanel } from './install-panel.tsx'
import type { PluginFilters } from './plugin-row.ts'
import { UninstallPanel } from './uninstall-panel.tsx'
import { VersionsPanel } from './versions-panel.tsx'

export interface LifecycleDoors {
  onInstall(): void
  onRescan(): void
  onVersions(row: PluginRow): void
  onUninstall(row: PluginRow): void
}

/** Only the super admin decides what code runs. */
export function useMayInstall(): boolean {
  return useSession(({ user }) => mayAccess(user, 'root'))
}

/** The panels in which plugins come, change and go. Rows are those of the list as it is now. */
export function useLifecycle(list: List<PluginRow, PluginFilters>) {
  const t = useTexts('plugins')
  const reloadScreens = useRegistry(({ load }) => load)
  const [isInstalling, setInstalling] = useState(false)
  const [changing, setChanging] = useState<string>()
  const [leaving, setLeaving] = useState<string>()
  const onDone = () => Promise.all([list.refresh(), reloadScreens()])
  const rowOf = (id: string | undefined) => list.rows.find((row) => row.id === id)
  const [rescan] = useAction(async () => {
    await api.post('/api/plugin/rescan')
    await onDone()
    toast.success(t('rescanned'))
  })
  const open: LifecycleDoors = {
    onInstall: () => setInstalling(true),
    onRescan: () => void rescan(),
    onVersions: ({ id }) => setChanging(id),
    onUninstall: ({ id }) => setLeaving(id),
  }
  const panels = (
    <>
      <InstallPanel isOpen={isInstalling} onClose={() => setInstalling(false)} onDone={onDone} />
      <VersionsPanel row={rowOf(changing)} onClose={() => setChanging(undefined)} onDone={onDone} />
      <UninstallPanel row={rowOf(leaving)} onClose={() => setLeaving(undefined)} onDone={onDone} />
    </>
  )
  return { open, panels }
}

export function PageActions({ open }: { open: LifecycleDoors }) {
  const t = useTexts('plugins')
  if (!useMayInstall()) return null
  return (
    <>
      <Button icon={<IconSync />} onClick={open.onRescan}>
        {t('action.rescan')}
      </Button>
      <AddButton label={t('action.install')} onClick={open.onInstall} />
    </>
  )
}
