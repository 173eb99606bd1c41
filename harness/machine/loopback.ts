/** Where servers listen unless the user names another address: no other host reaches it. */
export const LOOPBACK = '127.0.0.1';
