import { Navigate } from 'react-router-dom'

export default function MovedScreen() {
  return <Navigate to="/personal" replace />
}
