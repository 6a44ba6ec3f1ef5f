/* Generated from openapi.json by `npm run wire`. Changes made here are lost. */

export interface paths {
    "/api/annon-message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends an anonymous note. When this answers, the note is on disk. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SendNote"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It isn't JSON, or a field is missing or of the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description The inbox is full */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It doesn't say that it is JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/annon/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tells where a note to somebody goes. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The name in a personal link, in any mixture of cases */
                    username: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Target"];
                    };
                };
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/confirm-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes the address the account's: it signs in and resets from now on.
         *     Opening the link's page does not; a mail scanner opens every page.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConfirmEmail"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description The link is used or too old */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description Another account was first to confirm the address */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It doesn't say that it is JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tells who is signed in. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Dashboard"];
                    };
                };
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends feedback to the operator. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": components["schemas"]["FeedbackForm"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description A page from elsewhere */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tells how the inbox is set up. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InboxSettings"];
                    };
                };
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Sets the inbox up. */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SetInbox"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InboxSettings"];
                    };
                };
                /** @description It isn't JSON, or a field is missing or of the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It doesn't say that it is JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/inbox/socket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The inbox, live. The token comes as a second subprotocol:
         *     `Sec-WebSocket-Protocol: bearer, <token>`. Once `event.ready` has come,
         *     every new note and every change of the unread count is an `event.inbox`.
         *     Whoever has slept can say `event.connect`: a live one answers `event.ready`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A WebSocket */
                101: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description A page from elsewhere */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives a token for a name (or address) and a password. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LoggedIn"];
                    };
                };
                /** @description It isn't JSON, or a field is missing or of the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description Unknown user or wrong password */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It doesn't say that it is JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends the token it is called with. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mark_as_seen/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Marks a note as seen; doing it again changes nothing. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The note */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Unread"];
                    };
                };
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/message/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a note. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The note */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Unread"];
                    };
                };
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists notes, newest first. */
        get: {
            parameters: {
                query?: {
                    /** @description Only notes older than this one */
                    before?: string;
                    /** @description How many at most; 50 when not given */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NoteList"];
                    };
                };
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Deletes every note, also those that wait to be delivered. When this
         *     answers, the key they were sealed with is destroyed.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Unread"];
                    };
                };
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This description. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OpenAPI 3.1 */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mails a link, if there is such an account. The answer doesn't tell. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The mail's language: en or de */
                    "Accept-Language"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResetRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It isn't JSON, or a field is missing or of the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It doesn't say that it is JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/password-reset/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sets the password, uses the link up and ends every token of the account. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResetConfirm"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PasswordSet"];
                    };
                };
                /** @description The link is used or too old */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It doesn't say that it is JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes an account. Where mail goes out, the address is the account's only
         *     once a mailed link was used; so this answers alike for any address.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The mail's language: en or de */
                    "Accept-Language"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Register"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedUp"];
                    };
                };
                /** @description It isn't JSON, or a field is missing or of the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description The name is taken, or, where no mail goes out, the address */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It doesn't say that it is JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description A field is not as it should be */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description The disk is nearly full, or there are as many accounts as there may be */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room-emoji/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Claims a seat, or gives back the one held. The body is the emoji. */
        get: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description Instead of the seat's cookie, from a page whose browser keeps none: what
                     *     the answer to taking a seat had in this header; `new` asks for one
                     */
                    "Annon-Seat"?: string;
                };
                path: {
                    /** @description The room */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The emoji, as a JSON string */
                200: {
                    headers: {
                        /** @description The seat, for a page that carries it */
                        "Annon-Seat"?: string | null;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": string;
                    };
                };
                /** @description Full, locked, or kept out */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a group. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateRoom"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Created"];
                    };
                };
                /** @description It isn't JSON, or a field is missing or of the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description Too many groups */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It doesn't say that it is JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/upload-image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stores a picture for a room one has a seat in. It is drawn anew, and
         *     nothing but its pixels is kept.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description Instead of the seat's cookie, from a page whose browser keeps none: what
                     *     the answer to taking a seat had in this header; `new` asks for one
                     */
                    "Annon-Seat"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Uploaded"];
                    };
                };
                /** @description It isn't JSON, or a field is missing or of the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description The group holds no more pictures */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It doesn't say that it is JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/valid/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tells whether a group is alive. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The room */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a group. Without a seat that is its card alone: there are no members and no messages in it. Members are told of whoever is shown more, if they haven't been. */
        get: {
            parameters: {
                query?: {
                    /** @description Only lines before this place */
                    before?: number;
                    /** @description How many lines at most; 200 when not given */
                    limit?: number;
                };
                header?: {
                    /**
                     * @description Instead of the seat's cookie, from a page whose browser keeps none: what
                     *     the answer to taking a seat had in this header; `new` asks for one
                     */
                    "Annon-Seat"?: string;
                };
                path: {
                    /** @description The room */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RoomShown"];
                    };
                };
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Closes a group: its members are told, and nothing of it stays. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The room */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Locks or unlocks a group. */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The room */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Door"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It isn't JSON, or a field is missing or of the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It doesn't say that it is JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/room/{id}/image/{image}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a picture to members. */
        get: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description Instead of the seat's cookie, from a page whose browser keeps none: what
                     *     the answer to taking a seat had in this header; `new` asks for one
                     */
                    "Annon-Seat"?: string;
                };
                path: {
                    /** @description The room */
                    id: string;
                    /** @description The picture */
                    image: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/jpeg": number[];
                    };
                };
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/{id}/member/{emoji}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Sends a member out, for as long as the group lives. */
        delete: {
            parameters: {
                query?: {
                    /** @description `remove` takes back what they said */
                    messages?: string;
                };
                header?: never;
                path: {
                    /** @description The room */
                    id: string;
                    /** @description The member */
                    emoji: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/{id}/message/{seq}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Takes a message down, whosever it is and however old. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The room */
                    id: string;
                    /** @description The message's place in the log */
                    seq: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/{id}/seat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Claims a seat, or gives back the one held, and shows the group from it: to come in takes one call. */
        post: {
            parameters: {
                query?: {
                    /** @description Only lines before this place */
                    before?: number;
                    /** @description How many lines at most; 200 when not given */
                    limit?: number;
                };
                header?: {
                    /**
                     * @description Instead of the seat's cookie, from a page whose browser keeps none: what
                     *     the answer to taking a seat had in this header; `new` asks for one
                     */
                    "Annon-Seat"?: string;
                };
                path: {
                    /** @description The room */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        /** @description The seat, for a page that carries it */
                        "Annon-Seat"?: string | null;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Seated"];
                    };
                };
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description Full, locked, or kept out */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        /** Leaves for good; the seat is free again. */
        delete: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description Instead of the seat's cookie, from a page whose browser keeps none: what
                     *     the answer to taking a seat had in this header; `new` asks for one
                     */
                    "Annon-Seat"?: string;
                };
                path: {
                    /** @description The room */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/{id}/socket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A room, live. Its seat is asked for before the upgrade: its cookie, or from
         *     a page that carries its seat the second subprotocol, as in
         *     `Sec-WebSocket-Protocol: annon-seat, <seat>`. Say `event.connect` first, with the last `seq` you have seen as `since`: what
         *     you missed comes, then `event.ready`, and then everything as it happens.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The room */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A WebSocket */
                101: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rooms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's own groups that are alive. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RoomList"];
                    };
                };
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sets a new password and ends every other token of the account. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangePassword"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It isn't JSON, or a field is missing or of the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description Wrong password */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It doesn't say that it is JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes the account with everything that belongs to it. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DeleteAccount"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It isn't JSON, or a field is missing or of the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description Wrong password */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                /** @description It doesn't say that it is JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/new-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives the caller's notes another target: who has kept the old id can't
         *     send to it any more. The personal link stays `/{username}`, and leads to
         *     the new target.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The new target's id */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Target"];
                    };
                };
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/send-confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mails the link again. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The mail's language: en or de */
                    "Accept-Language"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process answers. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the store is open and takes writes. On a full disk it is ready to
         *     read, and says so.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Told"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Who is connected. */
        ActiveUsersFrame: {
            /** @description Their emoji. */
            active_users: string[];
            /**
             * @description Always `event.active-users`.
             * @example event.active-users
             */
            event: string;
        };
        /** @description A form for a new password. */
        ChangePassword: {
            /**
             * @description More than 5 characters.
             * @example battery staple
             */
            new_password: string;
            /**
             * @description The one that counts until now.
             * @example correct horse
             */
            old_password: string;
        };
        /** @description A message. */
        ChatFrame: {
            /** @description The words under the picture. */
            caption: string;
            /**
             * @description `event.chat`, or `event.image` when there is a picture.
             * @example event.chat
             */
            event: string;
            /** @description The sender's own name for it. */
            id: string;
            /** @description Where its blurred form is. */
            image_low?: string | null;
            /**
             * @description Width and height of the picture.
             * @example [
             *       1080,
             *       720
             *     ]
             */
            image_size?: number[] | null;
            /** @description Where the picture is. */
            image_src?: string | null;
            /** @description The words. */
            message: string;
            reply?: components["schemas"]["Quote"] | null;
            /**
             * @description The sender's emoji.
             * @example 🦊
             */
            sender: string;
            /**
             * Format: int64
             * @description Its place in the room's log.
             */
            seq: number;
            /**
             * @description `hh:mm:ss.fff`, UTC, by the server's clock.
             * @example 18:05:59.042
             */
            time: string;
            /** @description Whether it was taken back. */
            unsent?: boolean;
        };
        /** @description What a client sends. */
        ClientFrame: {
            /**
             * @description Always `sendMessage`.
             * @example sendMessage
             * @enum {string}
             */
            action: "sendMessage";
            /** @description What there is to say. */
            message: components["schemas"]["ClientMessage"];
            /** @description The room the socket was opened for. */
            room_id: string;
        };
        /** @description What a client says. What it claims of sender and time is ignored. */
        ClientMessage: {
            /** @description The words under a picture. */
            caption?: string | null;
            /**
             * @description `event.connect`, `event.chat`, `event.image`, `event.active-users`,
             *     `event.typing` or `event.unsend`; others are ignored.
             * @example event.chat
             * @enum {string}
             */
            event: "event.connect" | "event.chat" | "event.image" | "event.active-users" | "event.typing" | "event.unsend";
            /**
             * @description Of a message: 15 letters and digits of the sender's choice. Sending
             *     it again is not sending it twice.
             */
            id?: string | null;
            /** @description Its blurred form. */
            image_low?: string | null;
            /** @description A picture of this room. */
            image_src?: string | null;
            /** @description The words. */
            message?: string | null;
            /** @description What it answers: the third of the four is the other message's `seq`. */
            reply?: unknown[] | null;
            /**
             * Format: int64
             * @description With `event.connect`: the last `seq` that was seen.
             */
            since?: number | null;
        };
        /** @description The server is about to close the socket. */
        ClosedFrame: {
            /**
             * @description Always `event.closed`.
             * @example event.closed
             */
            event: string;
            /**
             * @description Why: `signed-out` in an inbox; `expired`, `deleted`, `kicked` or
             *     `left` in a group.
             * @example expired
             */
            reason: string;
        };
        /** @description Who shows that a mail has reached them. */
        ConfirmEmail: {
            /** @description What stands after `/confirm/` in the mailed link. */
            token: string;
        };
        /** @description A new group. */
        CreateRoom: {
            /**
             * Format: int32
             * @description 24 or 2. When not given it is the server's own, 24 as a rule.
             * @enum {integer|null}
             */
            lifetime_hours?: 24 | 2 | null;
            /**
             * @description 4 to 30 characters.
             * @example midnight tacos
             */
            name: string;
        };
        /** @description A group was made. */
        Created: {
            /**
             * @description Whose.
             * @example some-body
             */
            creator: string;
            /**
             * Format: uuid
             * @description Which.
             */
            room_id: string;
            /**
             * Format: int32
             * @description The HTTP status, once more.
             * @example 201
             */
            status: number;
        };
        /** @description Who is signed in. */
        Dashboard: {
            /**
             * Format: int32
             * @description The HTTP status, once more.
             * @example 200
             */
            status: number;
            /** @description The account. */
            user: components["schemas"]["User"];
        };
        /** @description A confirmation. */
        DeleteAccount: {
            /**
             * @description The password.
             * @example correct horse
             */
            password: string;
        };
        /** @description The door of a group. */
        Door: {
            /** @description Whether nobody new can join. */
            locked: boolean;
        };
        /** @description What the client sent was refused, and why. */
        ErrorFrame: {
            /**
             * @description Always `event.error`.
             * @example event.error
             */
            event: string;
            /** @description A sentence for a person. */
            message: string;
        };
        /** @description The form. */
        FeedbackForm: {
            /** @description At least 10 characters. */
            feedback: string;
            /**
             * Format: binary
             * @description A JPEG, PNG or WebP.
             */
            feedback_image?: string | null;
        };
        /** @description Something has changed in the inbox. */
        InboxFrame: {
            /**
             * @description Always `event.inbox`.
             * @example event.inbox
             */
            event: string;
            note?: components["schemas"]["NoteItem"] | null;
            /**
             * @description `true` when the list has changed otherwise: notes were deleted, or a
             *     batch was delivered. The time to read it anew.
             */
            reload?: boolean;
            /**
             * Format: int32
             * @description Unread notes in the whole inbox.
             */
            unread: number;
        };
        /** @description How an inbox is set up. */
        InboxSettings: {
            /**
             * @description Whether notes are delivered in batches, at :00, :15, :30 and :45 of
             *     every hour. Nobody, their owner included, can then tell when each came.
             */
            batches: boolean;
            /**
             * Format: int32
             * @description The HTTP status, once more.
             * @example 200
             */
            status: number;
        };
        /** @description A line as a history has it: a message or a notice. */
        LineFrame: components["schemas"]["ChatFrame"] | components["schemas"]["NotifyFrame"];
        /** @description A token. */
        LoggedIn: {
            /** @description To be sent as `Authorization: Bearer …`. */
            access_token: string;
            /** @description To be shown at the next sign-in from here. It opens nothing. */
            device: string;
            /**
             * Format: int64
             * @description Seconds until it dies by itself.
             * @example 7200
             */
            expires_in: number;
            /**
             * @description A sentence for a person.
             * @example User Logged In
             */
            message: string;
            /**
             * Format: int32
             * @description The HTTP status, once more.
             * @example 200
             */
            status: number;
        };
        /** @description A sign-in form. */
        Login: {
            /**
             * @description What this browser was given when it last signed in, so that others who
             *     guess at the password can't keep its user out.
             */
            device?: string | null;
            /**
             * @description The name or the address.
             * @example some-body
             */
            email_or_username: string;
            /**
             * @description The password.
             * @example correct horse
             */
            password: string;
        };
        /** @description A note as its owner sees it, in the list and on the socket. */
        NoteItem: {
            /**
             * @description The minute in which it arrived, or in which its batch was delivered:
             *     `YYYY-MM-DD HH:MM:SS`, UTC. The seconds are always `00`.
             * @example 2026-11-20 18:05:00
             */
            date: string;
            /**
             * Format: uuid
             * @description Which note: 128 bits in the form of a UUID, which tell nothing.
             */
            id: string;
            /** @description The words. */
            message: string;
            /** @description Whether its owner has opened it. */
            seen: boolean;
        };
        /** @description A page of the inbox. */
        NoteList: {
            /** @description Notes, newest first. */
            data: components["schemas"]["NoteItem"][];
            /**
             * Format: int32
             * @description Unread notes in the whole inbox.
             * @example 3
             */
            message: number;
            /**
             * Format: int32
             * @description The HTTP status, once more.
             * @example 200
             */
            status: number;
        };
        /** @description Something everybody should know. */
        NotifyFrame: {
            /**
             * @description Always `event.notify`.
             * @example event.notify
             */
            event: string;
            /**
             * @description In words.
             * @example 🦊 joined
             */
            message: string;
            /**
             * Format: int64
             * @description Its place in the room's log.
             */
            seq: number;
            /** @description `hh:mm:ss.fff`, UTC. */
            time: string;
        };
        /** @description A new password. */
        PasswordSet: {
            /** @description To be shown at the next sign-in from here. It opens nothing. */
            device: string;
            /**
             * @description A sentence for a person.
             * @example Password Changed!
             */
            message: string;
            /**
             * Format: int32
             * @description The HTTP status, once more.
             * @example 200
             */
            status: number;
        };
        /** @description Who is quoted, what, where it stands in the log, and its picture. */
        Quote: (string | number)[];
        /** @description From here on nothing is missed: the time to read the list. */
        ReadyFrame: {
            /**
             * @description Always `event.ready`.
             * @example event.ready
             */
            event: string;
        };
        /** @description A send was refused. */
        RefusedFrame: {
            /**
             * @description Always `event.error`.
             * @example event.error
             */
            event: string;
            /** @description The id of what was refused, if it had one. */
            id?: string | null;
            /** @description A sentence for a person. */
            message: string;
        };
        /** @description A sign-up form. */
        Register: {
            /**
             * @description Where a reset link can be mailed to.
             * @example some@body.example
             */
            email: string;
            /**
             * @description At least 8 characters.
             * @example correct horse
             */
            password: string;
            /**
             * @description 6 to 16 letters, digits, `-` and `_`; white space becomes `-`.
             * @example some-body
             */
            username: string;
        };
        /** @description A new password, and the link's token to prove who sets it. */
        ResetConfirm: {
            /**
             * @description At least 8 characters.
             * @example battery staple
             */
            new_password: string;
            /** @description What stands after `/reset/` in the mailed link. */
            token: string;
        };
        /** @description Who forgot a password. */
        ResetRequest: {
            /**
             * @description The account's address.
             * @example some@body.example
             */
            email: string;
        };
        /** @description What there is to know of a group. */
        RoomData: {
            /** @description Whose it is. */
            creator: string;
            /** @description When it was made: `YYYY-MM-DD HH:MM:SS`, UTC. */
            date: string;
            /**
             * Format: int64
             * @description When it ends, in seconds since 1970.
             */
            expire_at: number;
            /** @description Whether messages older than the first one given are kept. */
            has_older: boolean;
            /**
             * Format: uuid
             * @description Which.
             */
            id: string;
            /**
             * Format: int64
             * @description The last place in its log: where a socket's `since` begins; 0 without a
             *     seat.
             */
            last_seq: number;
            /** @description Whether nobody new can join; never told without a seat. */
            locked: boolean;
            /** @description The members' emoji; none without a seat. */
            members: string[];
            /** @description Messages and notices, oldest first; none without a seat. */
            messages: components["schemas"]["LineFrame"][];
            /** @description What it is called. */
            name: string;
        };
        /** @description A group in a list. */
        RoomItem: {
            /**
             * @description When it was made: `YYYY-MM-DD HH:MM:SS`, UTC.
             * @example 2026-11-20 18:05:59
             */
            date: string;
            /**
             * Format: uuid
             * @description Which.
             */
            id: string;
            /**
             * @description What it is called.
             * @example midnight tacos
             */
            name: string;
        };
        /** @description One's groups. */
        RoomList: {
            /** @description Those that are alive, newest first. */
            data: components["schemas"]["RoomItem"][];
            /**
             * Format: int32
             * @description The HTTP status, once more.
             * @example 200
             */
            status: number;
        };
        /** @description From here on nothing is missed. */
        RoomReadyFrame: {
            /**
             * @description Always `event.ready`.
             * @example event.ready
             */
            event: string;
            /**
             * Format: int64
             * @description The last place in the room's log.
             */
            last_seq: number;
            /** @description Whether everything after `since` was sent. If not, load the room anew. */
            resumed: boolean;
        };
        /** @description A group, as a member sees it. */
        RoomShown: {
            /** @description The group. */
            data: components["schemas"]["RoomData"];
            /**
             * Format: int32
             * @description The HTTP status, once more.
             * @example 200
             */
            status: number;
        };
        /** @description A seat, and the group as it is seen from there. */
        Seated: {
            /** @description The group. */
            data: components["schemas"]["RoomData"];
            /**
             * @description Who one is in it.
             * @example 🦊
             */
            emoji: string;
            /**
             * Format: int32
             * @description The HTTP status, once more.
             * @example 200
             */
            status: number;
        };
        /** @description A note. */
        SendNote: {
            /**
             * Format: uuid
             * @description The target's id.
             */
            id: string;
            /**
             * @description 10 to 280 characters.
             * @example You were great on stage yesterday.
             */
            message: string;
        };
        /** @description What is to be set. */
        SetInbox: {
            /** @description Whether notes are delivered in batches. Off delivers what waits. */
            batches: boolean;
        };
        /** @description A new account. */
        SignedUp: {
            /**
             * @description There, and true, where a mail with a link is on its way: until it is
             *     opened only the name signs in.
             */
            confirm_by_mail?: boolean | null;
            /**
             * @description A sentence for a person.
             * @example User Account Created
             */
            message: string;
            /**
             * Format: int32
             * @description The HTTP status, once more.
             * @example 201
             */
            status: number;
        };
        /** @description Where to send a note. */
        Target: {
            /**
             * Format: uuid
             * @description The target's id, for `POST /api/annon-message`. It tells nothing
             *     about the account.
             */
            message: string;
            /**
             * Format: int32
             * @description The HTTP status, once more.
             * @example 200
             */
            status: number;
        };
        /** @description The body of every answer that carries nothing but its message. */
        Told: {
            /** @description A sentence for a person. */
            message: string;
            /**
             * Format: int32
             * @description The HTTP status, once more.
             * @example 200
             */
            status: number;
        };
        /** @description Somebody is typing. */
        TypingFrame: {
            /**
             * @description Always `event.typing`.
             * @example event.typing
             */
            event: string;
            /** @description Who. */
            sender: string;
        };
        /** @description What is left to read. */
        Unread: {
            /**
             * Format: int32
             * @description Unread notes in the whole inbox.
             * @example 2
             */
            message: number;
            /**
             * Format: int32
             * @description The HTTP status, once more.
             * @example 200
             */
            status: number;
        };
        /** @description A message was taken back. */
        UnsendFrame: {
            /**
             * @description Always `event.unsend`.
             * @example event.unsend
             */
            event: string;
            /** @description The message's id; it is its sender's alone, so see `message_seq`. */
            id: string;
            /**
             * Format: int64
             * @description The message's place in the room's log.
             */
            message_seq: number;
            /**
             * Format: int64
             * @description This frame's own place in it.
             */
            seq: number;
        };
        /** @description A picture. */
        Upload: {
            /** @description The file in base64, bare or as a data URL. */
            image_b64: string;
            /**
             * Format: uuid
             * @description The room it is for.
             */
            room_id: string;
        };
        /** @description Where a picture is. */
        Uploaded: {
            /**
             * @description The reference a message shows it by.
             * @example /api/room/5f2c…/image/91ab…
             */
            message: string;
            /**
             * Format: int32
             * @description The HTTP status, once more.
             * @example 201
             */
            status: number;
        };
        /** @description An account, as its owner sees it. */
        User: {
            /**
             * @description The address.
             * @example some@body.example
             */
            email: string;
            /** @description There, and false, until the link that was mailed to it is used. */
            email_confirmed?: boolean | null;
            /**
             * @description The name in the personal link.
             * @example some-body
             */
            username: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
