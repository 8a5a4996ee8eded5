import { Type } from '@sinclair/typebox'
import { defineModel } from './define-model.ts'

/** A row of `known_devices`: a browser in which an account has signed in. Nothing of it goes over the wire. */
const knownDeviceRow = Type.Object({
  id_hash: Type.String({ description: "HMAC of the cookie's secret." }),
  user_id: Type.Integer(),
  session_id: Type.String({ description: 'The session that began with it; see `sessions`.' }),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
  expires_at: Type.Integer({ description: 'Unix seconds.' }),
})

export const knownDevices = defineModel('known_devices', knownDeviceRow, ['id_hash'])
