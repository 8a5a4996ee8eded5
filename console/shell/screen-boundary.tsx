import { Component, type ReactNode } from 'react'
import { messageOf } from '../api/use-action.ts'
import { ErrorState } from '../kit/states.tsx'
import { textsOf } from '../texts/use-texts.ts'

interface Props {
  /** The plugin that is to blame. */
  owner: string
  children: ReactNode
}

/** A screen that fails shows a card with the plugin's name; everything around it stays. */
export class ScreenBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    const t = textsOf()
    return (
      <div className="page">
        <ErrorState
          title={t('error.screenTitle')}
          message={t('error.screen', { owner: this.props.owner, message: messageOf(error) })}
          // A chunk that is gone after an upgrade comes back with the new page only.
          onRetry={() => window.location.reload()}
        />
      </div>
    )
  }
}
