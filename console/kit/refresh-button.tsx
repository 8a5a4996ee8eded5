import { IconRefresh } from '@arco-design/web-react/icon'
import { IconButton } from './icon-button.tsx'

/** The button at the right of a page's title that fetches its data again. */
export function RefreshButton({
  label,
  isRefreshing,
  onClick,
}: {
  label: string
  isRefreshing?: boolean
  onClick(): void
}) {
  return (
    <IconButton icon={<IconRefresh />} label={label} loading={isRefreshing} onClick={onClick} />
  )
}
