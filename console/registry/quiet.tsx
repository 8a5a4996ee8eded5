import { Component, type ComponentType, createElement, type ReactNode } from 'react'

interface Props {
  onFault?: (error: unknown) => void
  children: ReactNode
}

/** What fails is not drawn; for small things that have no room for a card. */
export class Quiet extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch(error: unknown) {
    this.props.onFault?.(error)
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children
  }
}

/** The icon, or nothing. */
export function quietIcon(icon: ComponentType, onFault: () => void): ComponentType {
  return function Icon(props: object) {
    return <Quiet onFault={onFault}>{createElement(icon, props)}</Quiet>
  }
}
