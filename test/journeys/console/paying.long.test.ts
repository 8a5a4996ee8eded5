import { describePaying } from './paying.ts'

describePaying({ title: 'in English on a desk', language: 'en' })
